// refused: wrong-result: a thread clears and flushes one bin, and there are more bins than threads
// SPDX-License-Identifier: MIT
// shown by: --size 4099 --block-size 64
// hint: samples-lost
#include "answer/right.cuh"

using namespace right;

#define OWN_BINS min(bins.count, blockDim.x)
#include "answer/kernel.cuh"
