// SPDX-License-Identifier: MIT
// Findings: the error, with the place and the threads concerned.
#pragma once

#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {

Finding finding_at(const Grid& grid, std::uint64_t block, std::uint32_t warp, std::uint32_t instruction, Mask lanes,
                   FindingKind kind);
inline Finding finding_at(const Grid& grid, const Step& step, Mask lanes, FindingKind kind) {
  return finding_at(grid, step.block.linear, step.warp.index, step.op.counter, lanes, kind);
}
inline Finding finding_at(const Grid& grid, const Block& block, const Warp& warp, const MicroOp& op, Mask lanes,
                          FindingKind kind) {
  return finding_at(grid, block.linear, warp.index, op.counter, lanes, kind);
}

}  // namespace cudasim
