// refused: out-of-bounds: the stride begins at blockDim.x, and the first step reads behind the end of values[]
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: outside-shared
// Beginning at blockDim.x is right where the block has two numbers a thread in memory. Here values[] has one.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {  // the answer: blockDim.x / 2
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
