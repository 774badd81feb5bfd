// SPDX-License-Identifier: MIT
// The sort and the merge of tiles from stage 32, for stage 33. This file is compiled once, and not with each program,
// because its compilation takes longest.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workbook/student/sort.h"

namespace workbook {

constexpr unsigned kLogTile = 12;  ///< A tile has 2^12 places; the last may have fewer.

/// Sorts tiles: launches a block for each tile of the input, which sorts it into the same tile of the output. Where the
/// keys have values, equal keys have the order of their values. Both may be the same memory. `n`: at least 1, because a
/// grid cannot be empty. A failed launch ends the program (CUDA_CHECK).
void sort_tiles(KeyType type, ConstRecords input, Records output, std::size_t n, cudaStream_t stream);

/// Finishes a merge in each tile, in place: launches a block for each tile. Both partners of these steps lie in one
/// tile: the distances go from half a tile down to 1.
void finish_tiles(KeyType type, Records records, std::size_t n, cudaStream_t stream);

}  // namespace workbook
