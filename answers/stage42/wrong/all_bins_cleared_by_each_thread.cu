// refused: not-the-step: right, but each thread clears all bins of the block
// SPDX-License-Identifier: MIT
// hint: step-shared-requests
#include "answer/right.cuh"

using namespace right;

#define CLEAR(b)                                                   \
  if (b == threadIdx.x) {                                          \
    for (unsigned bin = 0; bin < bins.count; ++bin) mine[bin] = 0; \
  }
#include "answer/kernel.cuh"
