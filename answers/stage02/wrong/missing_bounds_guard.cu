// refused: out-of-bounds: the neighbour is inside the block, but no thread asks whether it is inside the numbers
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: outside-global
// Right whenever block_size divides n in every pass.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const bool has_neighbour = tid + stride < blockDim.x;  // the answer: && i + stride < n
    const float neighbour = has_neighbour ? data[i + stride] : 0.0f;
    __syncthreads();
    if (has_neighbour) {
      data[i] += neighbour;
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
