// refused: not-the-step: right, but in the sums all lanes of a warp meet in one bank
// SPDX-License-Identifier: MIT
// hint: step-bank-conflicts
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ unsigned sum(unsigned bin) const {
    unsigned sum = 0;
    for (unsigned i = 0; i < kCopies; ++i) {
      sum += Right::words[bin * kCopies + i];
    }
    return sum;
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
