// refused: out-of-bounds: the last band has not always eight rows of tiles
// SPDX-License-Identifier: MIT
// shown by: --size 300x400x16 --block-size 128x1
// hint: outside-global
// There are blocks for tiles below C, and none for those on the right. It is right where a multiple of eight tiles lies
// one below the other.
#define HEIGHT_OF_BAND kBand
#include "answer/multiply_pipelined_but.cuh"
