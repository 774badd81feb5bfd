// refused: wrong-result: the terms of the last k-tile are lost where it has not all of them
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x20 --block-size 128x1
// hint: terms-wrong
#define K_TILES a.columns / kTerms
#include "answer/multiply_pipelined_but.cuh"
