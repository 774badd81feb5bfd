// SPDX-License-Identifier: MIT
// What stage 32 taught, for the tiles of stage 33: sorted, and put in order again. Compiled once, and not with each
// program, as it is most of what the compiler would have to do.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workbook/student/sort.h"

namespace workbook {

constexpr unsigned kLogTile = 12;  ///< A tile has 2^12 places, and the last one fewer.

/// Launches a block for each tile: that of the output = that of the input, in order. Where the keys have values, equal
/// keys are in order of these. Both may be the same memory. `n`: at least 1, as no grid is empty. A launch that fails
/// ends the program (CUDA_CHECK).
void sort_tiles(KeyType type, ConstRecords input, Records output, std::size_t n, cudaStream_t stream);

/// Launches a block for each tile, for the steps of a merge whose partners lie in one: distances from half a tile down
/// to 1. In place.
void finish_tiles(KeyType type, Records records, std::size_t n, cudaStream_t stream);

}  // namespace workbook
