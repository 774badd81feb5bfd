// refused: wrong-result: thread t begins at number t, not t * kFactor, so its chunk overlaps the next ones
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: counted-wrong
// Each thread means to add kFactor numbers in a row. Even with the right beginning the loads would not be coalesced.
#include "answer/without_kernel.cuh"

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * blockDim.x;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile + threadIdx.x;  // the answer: tile * blockDim.x
    sum += i < n ? input[i] : 0.0f;
  }
  store_sum_of_block(sum, partial_sums);
}
