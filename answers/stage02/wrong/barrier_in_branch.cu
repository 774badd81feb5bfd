// refused: barrier-divergence: the barriers are inside the `if`: threads without a neighbour never come
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: barrier-missed
// In each step the last `stride` threads of the block have no neighbour. On a GPU this may hang, or seem to work.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const bool has_neighbour = tid + stride < blockDim.x && i + stride < n;
    if (has_neighbour) {
      const float neighbour = data[i + stride];
      __syncthreads();  // the answer has both barriers outside the `if`
      data[i] += neighbour;
      __syncthreads();
    }
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
