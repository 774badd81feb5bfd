// refused: wrong-result: with `<=`, one step too many adds the first number of the next segment
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-between-blocks
// A condition `stride <= blockDim.x` is right where a block owns 2 * blockDim.x numbers. There thread t starts at
// number 2 * t. Here a block owns blockDim.x of them. The extra step also reads a number that another block is
// changing: a race on top.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {  // the answer: <
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
