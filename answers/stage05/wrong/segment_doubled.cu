// refused: wrong-result: the segment is 2 * kFactor tiles long, the loop adds kFactor: half is lost
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// diagnosis: elements 256 to 511 and 768 to 771
// hint: some-lost
// This mixes two versions of coarsening. One adds two numbers a turn, the other one. The kernel looks fast, since it
// reads half of the data.
#include "answer/without_kernel.cuh"

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  const std::size_t segment = std::size_t{blockIdx.x} * 2 * kFactor * blockDim.x;  // the answer: not 2 *
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * blockDim.x + threadIdx.x;
    sum += i < n ? input[i] : 0.0f;
  }
  store_sum_of_block(sum, partial_sums);
}
