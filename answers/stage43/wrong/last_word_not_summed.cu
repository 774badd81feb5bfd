// refused: wrong-result: the last word of each bin is left out, and with it the samples of a lane
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: words-of-a-bin
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ unsigned sum(unsigned bin) const {
    unsigned sum = 0;
    for (unsigned i = 0; i + 1 < kCopies; ++i) {
      sum += Right::words[bin * kCopies + i];
    }
    return sum;
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
