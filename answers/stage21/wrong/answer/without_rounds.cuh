// SPDX-License-Identifier: MIT
// The answer of stage 21 without its loop over the k-tiles: its kernel takes the add_k_tiles of the including file.
#include "workbook/student/matmul.h"
#include "workbook/student/products/pipeline.h"

template <bool kWhole, class Tile>
__device__ void add_k_tiles(float (&sums)[8][16], Tile& tile, workbook::pipeline::TileLoader<Tile>& loader,
                            unsigned k_tiles, unsigned row, unsigned column);

// Renames the answer's definition. It leaves its call alone, as `<kWhole>` follows the name there.
#define add_k_tiles(...) right_add_k_tiles(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef add_k_tiles
