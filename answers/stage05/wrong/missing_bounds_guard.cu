// refused: out-of-bounds: the threads of the last segment read behind the end of the input
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: outside-global
// Right whenever kFactor * block_size divides n in every pass. For the full 16,777,216, the first pass is.
#include "answer/without_kernel.cuh"

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * blockDim.x;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * blockDim.x + threadIdx.x;
    sum += input[i];  // the answer: i < n ? input[i] : 0.0f
  }
  store_sum_of_block(sum, partial_sums);
}
