// refused: out-of-bounds: a sample that is in no bin is counted behind the words
// SPDX-License-Identifier: MIT
// shown by: --data edges --size 1003
// hint: outside-shared
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ void count(unsigned bin) { atomicAdd(&Right::words[bin * kCopies + threadIdx.x % kCopies], 1u); }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
