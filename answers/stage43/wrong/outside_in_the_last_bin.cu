// refused: wrong-result: samples that are in no bin are counted in the last one
// SPDX-License-Identifier: MIT
// shown by: --data edges --size 1003
// hint: samples-in-no-bin
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ void count(unsigned bin) { Right::count(min(bin, Right::kBins - 1)); }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
