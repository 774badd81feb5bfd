// refused: wrong-result: behind the end of the input, values[] keeps what it held, and is added all the same
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: shared-not-written
// Shared memory has no known contents when a block begins. Here it holds what a block before it has left, or any bits
// at all.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  if (i < n) {
    values[tid] = input[i];  // the answer stores 0 otherwise
  }
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
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
