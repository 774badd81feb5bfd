// SPDX-License-Identifier: MIT
// Messages for instructions of a whole warp that lack lanes, or whose addresses are not aligned.
#pragma once

#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {

/// The other lanes will not arrive where this split waits for them.
void report_lone_lanes(Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split);
/// A row of ldmatrix or stmatrix, whose address `lane` has given.
void report_misaligned_row(Grid& grid, const Step& step, unsigned lane, std::uint64_t address, bool is_store);
/// An ldmatrix for sm_75 that does not read the row of `lane`, whose address is not valid.
void warn_of_spare_row(Grid& grid, const Step& step, unsigned lane, std::uint64_t address);
/// A matrix of wmma with a wrong start address, or with a wrong distance between its rows.
void report_misaligned_matrix(Grid& grid, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                              std::uint64_t row_bytes, std::uint32_t fragment_bytes, bool is_store);

}  // namespace cudasim
