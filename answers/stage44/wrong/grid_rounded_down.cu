// refused: wrong-result: no block for what is less than a tile
// SPDX-License-Identifier: MIT
// shown by: --size 100x300
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

#define TILES(cells, of_a_tile) ((cells) / (of_a_tile) > 0 ? (cells) / (of_a_tile) : 1)
#include "answer/kernel.cuh"
