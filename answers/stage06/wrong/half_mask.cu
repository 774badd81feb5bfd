// refused: warp-mask: the mask names lanes 0 to 15, and lanes 16 to 31 come to the shuffle all the same
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: warp-mask
// "Only lanes 0 to 15 need the result." But lanes 16 to 31 give the values. The mask names all lanes that take part,
// and a lane that is not named must not call.
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
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      warp_sum += __shfl_down_sync(0x0000ffffu, warp_sum, offset);  // the answer: 0xffffffffu
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
}
