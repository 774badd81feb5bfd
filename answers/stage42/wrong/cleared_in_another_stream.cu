// refused: stream-order: the counts are cleared in the default stream, which does not wait for the caller's
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
#include "answer/right.cuh"

using namespace right;

#define CLEAR_COUNTS CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned)))
#include "answer/kernel.cuh"
