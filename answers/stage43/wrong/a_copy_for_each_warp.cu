// refused: not-the-step: right, with words for each warp: the lanes of a warp still meet in banks
// SPDX-License-Identifier: MIT
// hint: step-bank-conflicts
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  // The words of copy c lie side by side, from c * (kBins + 1) on.
  __device__ void count(unsigned bin) {
    atomicAdd(&Right::words[(threadIdx.x / kLanes) % kCopies * (Right::kBins + 1) + min(bin, Right::kBins)], 1u);
  }
  __device__ unsigned sum(unsigned bin) const {
    unsigned sum = 0;
    for (unsigned i = 0; i < kCopies; ++i) {
      sum += Right::words[i * (Right::kBins + 1) + bin];
    }
    return sum;
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
