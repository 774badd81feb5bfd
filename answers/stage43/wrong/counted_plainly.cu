// refused: race: a plain addition: the lanes of a warp have words of their own, and the warps do not
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: update-lost
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ void count(unsigned bin) { Right::words[min(bin, Right::kBins) * kCopies + threadIdx.x % kCopies] += 1; }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
