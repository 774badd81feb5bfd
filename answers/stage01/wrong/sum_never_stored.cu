// refused: wrong-result: no thread stores the block's sum, so the partial sums are what the memory held before
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: output-not-written
// The classic of a kernel that computes everything and keeps nothing. Memory from cudaMalloc has no known contents.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }
  (void)partial_sums;  // the answer's thread 0 stores data[i] there
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
