// refused: not-the-step: right, but thread 0 flushes all bins of the block
// SPDX-License-Identifier: MIT
// hint: step-atomics
#include "answer/right.cuh"

using namespace right;

#define FLUSH(b) \
  for (unsigned bin = 0; b == 0 && bin < bins.count; ++bin) atomicAdd(&counts[bin], mine[bin])
#include "answer/kernel.cuh"
