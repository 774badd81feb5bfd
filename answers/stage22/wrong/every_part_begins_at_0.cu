// refused: wrong-result: each block that shares a tile takes its first terms
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x1000
// hint: share-wrong
#define FIRST_TERM 0
#include "answer/multiply_share_but.cuh"
