// refused: uninitialised: only as many words as there are bins are cleared
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: shared-not-written
#include "answer/right.cuh"

using namespace right;

// The bins of the answer, with one function of its own.
template <unsigned kCopies>
struct WrongBins : LaneBins<kCopies> {
  using Right = LaneBins<kCopies>;
  __device__ void clear() {
    for (unsigned i = threadIdx.x; i < Right::kBins; i += blockDim.x) {
      Right::words[i] = 0;
    }
  }
};

#define LANE_BINS WrongBins
#include "answer/kernel.cuh"
