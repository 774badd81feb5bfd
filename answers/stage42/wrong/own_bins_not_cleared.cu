// refused: uninitialised: the bins of a block begin with what is in shared memory
// SPDX-License-Identifier: MIT
// shown by: --size 1003 --data uniform
// hint: shared-not-written
#include "answer/right.cuh"

using namespace right;

#define CLEAR(b) static_cast<void>(b)
#include "answer/kernel.cuh"
