// refused: wrong-result: the segment is kFactor tiles long, the loop adds 2 * kFactor: counted twice
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: counted-wrong
// The other half of segment_doubled.cu.
#include "answer/without_kernel.cuh"

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * blockDim.x;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < 2 * kFactor; ++tile) {  // the answer: kFactor
    const std::size_t i = segment + tile * blockDim.x + threadIdx.x;
    sum += i < n ? input[i] : 0.0f;
  }
  store_sum_of_block(sum, partial_sums);
}
