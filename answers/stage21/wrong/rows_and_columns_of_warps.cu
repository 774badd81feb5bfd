// refused: wrong-result: as many warps lie side by side as kAcross says, and one below the other as kDown
// SPDX-License-Identifier: MIT
// shown by: --size 128x256x16 --block-size 256x1
// hint: copy-under-way
// Right for 2 x 2 warps.
#define WRONG_ACROSS 4
#define WARP_DOWN warp % kAcross
#define WARP_ACROSS warp / kAcross
#include "answer/multiply_pipelined_but.cuh"
