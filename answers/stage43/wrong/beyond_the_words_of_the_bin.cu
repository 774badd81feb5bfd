// refused: wrong-result: each lane begins with another word and does not go round, but into the next bin
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
    for (unsigned i = 0; i < kCopies; ++i) {
      sum += Right::words[min(bin * kCopies + i + bin % kCopies, Right::kSize - 1)];
    }
    return sum;
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
