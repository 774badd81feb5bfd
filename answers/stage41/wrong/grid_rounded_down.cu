// refused: wrong-result: the tile that is not whole has no block
// SPDX-License-Identifier: MIT
// shown by: --size 5003
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

inline std::size_t whole_tiles(std::size_t n, std::size_t tile) { return n < tile ? 1 : n / tile; }

#define ROUNDED whole_tiles
#include "answer/kernel.cuh"
