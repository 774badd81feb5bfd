// refused: wrong-result: the blocks add to what was in `counts` before
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: global-not-written
#include "answer/right.cuh"

using namespace right;

#define CLEAR_COUNTS static_cast<void>(0)
#include "answer/kernel.cuh"
