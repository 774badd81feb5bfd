// refused: wrong-result: only whole blocks of samples are counted
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: samples-lost
#include "answer/right.cuh"

using namespace right;

#define SAMPLES_OF_ALL n / blockDim.x* blockDim.x
#include "answer/kernel.cuh"
