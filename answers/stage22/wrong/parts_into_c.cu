// refused: wrong-result: each block that shares a tile stores its part into C, and none adds them
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x1000
// hint: blocks-store-one-element
#define TARGET \
  { c, corner, is_whole(c, work, corner) }
#include "answer/multiply_share_but.cuh"
