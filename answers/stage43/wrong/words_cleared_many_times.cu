// refused: not-the-step: right, but each eight threads clear all words of the block
// SPDX-License-Identifier: MIT
// hint: step-shared-requests
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ void clear() {
    for (unsigned i = threadIdx.x % 8; i < Right::kSize; i += 8) {
      Right::words[i] = 0;
    }
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
