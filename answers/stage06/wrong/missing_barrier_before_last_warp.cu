// refused: race: warp 0 reads values[tid + 32] with no barrier after warp 1 has added there
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// The barrier after the step of stride 64 looks like one of the last warp's. But warp 1 takes part in that step. In the
// plain schedule warp 0 goes on and adds numbers that warp 1 has not finished. Block sizes from 128.
#include "answer/without_kernel.cuh"

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize];
  const unsigned tid = threadIdx.x;

  values[tid] = sum_of_thread<kBlockSize, kFactor>(input, n);
  __syncthreads();
#pragma unroll
  for (unsigned stride = kBlockSize / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    if (stride > 64) {  // the answer has no `if`: a barrier after the last step, too
      __syncthreads();
    }
  }

  if (tid < 32) {
    float warp_sum = values[tid];
    if constexpr (kBlockSize > 32) {
      warp_sum += values[tid + 32];
    }
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      warp_sum += __shfl_down_sync(0xffffffffu, warp_sum, offset);
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
}
