// refused: not-the-step: right, with one word a bin for all lanes: they meet in banks
// SPDX-License-Identifier: MIT
// hint: step-bank-conflicts
#include "answer/right.cuh"

using namespace right;

#define MANY 1
#include "answer/kernel.cuh"
