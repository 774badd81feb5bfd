// refused: endless-loop: the condition is that of a growing stride: 0 is less than blockDim.x, and half of 0 is 0
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: endless-loop
// Never ends on a GPU: run it on the simulator only.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride < blockDim.x; stride /= 2) {  // the answer: stride > 0
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
