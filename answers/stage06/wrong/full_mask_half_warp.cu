// refused: warp-mask: the mask names all 32 lanes, but only the first `offset` lanes come to the shuffle
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: warp-mask
// In the stages before only the first `stride` threads add, then all meet. Here a shuffle does the same. A lane that is
// named must come to the same shuffle. The others wait for it here while it waits for them at __syncwarp(). A GPU may
// hang, or go on with values that are not defined. Without the __syncwarp() the lanes that are missing run to the end
// of the kernel. The shuffle goes on without them, which is no better: what a lane gets from a missing one is
// undefined.
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
      if (tid < offset) {  // the answer has no `if`: all 32 lanes come
        warp_sum += __shfl_down_sync(0xffffffffu, warp_sum, offset);
      }
      __syncwarp();
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
}
