// refused: not-the-step: right, and the row is read a second time for the result
// SPDX-License-Identifier: MIT
// hint: step-sectors
#include "answer/right.cuh"

using namespace right;

#define READS_AGAIN
#include "answer/kernel.cuh"
