// refused: race: no barrier between the steps, so a thread adds a sum that is not there yet
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// Needs more than one warp. While the stride is below 32, both numbers belong to lanes of one warp, which this machine
// runs in step. At stride 32 warp 0 reads the sum of warp 1. In the plain schedule warp 0 runs first, to its end, and
// adds numbers that warp 1 has not touched.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    // Here the answer has a barrier.
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
