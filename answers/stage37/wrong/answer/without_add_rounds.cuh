// SPDX-License-Identifier: MIT
// The answer of stage 37 without its loop over k-tiles: it takes the add_k_tiles of the including file.
#include "fragments.cuh"
#include "workbook/student/matmul.h"

template <class Tiles, bool kWhole>
class TileLoader;
template <class Tiles, bool kWhole>
__device__ void add_k_tiles(Sums& sums, Tiles& tiles, TileLoader<Tiles, kWhole>& loader, unsigned k_tiles,
                            const Place& place);

// Renames the answer's definition. It leaves its call alone, as the first argument is another word there.
#define ADD_Sums right_add_k_tiles(Sums
#define ADD_sums add_k_tiles(sums
#define add_k_tiles(first, ...) ADD_##first, __VA_ARGS__)
#include "quick_to_compile_answer.cuh"
#undef add_k_tiles
#undef ADD_sums
#undef ADD_Sums
