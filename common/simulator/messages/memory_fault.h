// SPDX-License-Identifier: MIT
// The error in one lane's access to memory.
#pragma once

#include <cstdint>

#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {

struct MemoryFault {
  ptx::Space space = ptx::Space::global;
  std::uint64_t address = 0;  ///< of the space itself
  unsigned lane = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  FindingKind kind = FindingKind::out_of_bounds;
};

/// `local_bytes`: the local memory of a thread.
Finding memory_fault(const Grid& grid, const Block& block, const Warp& warp, const MicroOp& op,
                     const MemoryFault& fault, std::uint32_t local_bytes);

}  // namespace cudasim
