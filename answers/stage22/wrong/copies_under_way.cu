// refused: async-copy: the loader goes on behind the last k-tile, into memory that holds sums by then
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: copy-under-way
#define LOADED k_tiles + 1000
#include "answer/multiply_share_but.cuh"
