// refused: race: no barrier between the steps, so warp 0 adds sums that the other warps have not computed yet
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// Needs two warps: from stride 32 on, the two numbers belong to different warps.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
      values[tid] += values[tid + stride];
    }
    // Here the answer has a barrier.
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
