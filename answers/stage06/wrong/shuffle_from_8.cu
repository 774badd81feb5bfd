// refused: wrong-result: the shuffles begin at distance 8, so that the sums of lanes 16 to 31 are never added
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: tail-lost
// 32 lanes need five steps: 16, 8, 4, 2, 1.
#include "answer/without_kernel.cuh"

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize];
  const unsigned tid = threadIdx.x;
  add_until_64_are_left<kBlockSize>(sum_of_thread<kBlockSize, kFactor>(input, n), values);

  if (tid < 32) {
    float warp_sum = values[tid];
    if constexpr (kBlockSize > 32) {
      warp_sum += values[tid + 32];
    }
#pragma unroll
    for (unsigned offset = 8; offset > 0; offset /= 2) {  // the answer: 16
      warp_sum += __shfl_down_sync(0xffffffffu, warp_sum, offset);
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
}
