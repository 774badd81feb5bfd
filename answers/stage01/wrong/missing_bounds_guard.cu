// refused: out-of-bounds: the threads of the last segment do not ask whether the element `stride` further on exists
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: outside-global
// Right whenever block_size divides n in every pass. Otherwise the last block adds what lies behind the numbers. On a
// GPU that is often the zeros of fresh memory, and then even the sum is right.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {  // the answer also asks whether i + stride < n
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
