// refused: race: no barrier after the load: the first step adds what another warp may not have stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// The omission of stage 03's missing_barrier_after_load.cu, here across warps. In the plain schedule warp 0 adds
// numbers of warp 4 before warp 4 has run at all. Needs two warps: block sizes from 64.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  // Here the answer has a barrier.

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
