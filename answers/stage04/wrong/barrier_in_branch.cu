// refused: barrier-divergence: the barrier stands inside the `if`, and the threads that do not add never come to it
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: barrier-missed
// At stride 16 half of the lanes of warp 0 come to the barrier and the others pass by it. Before that, whole warps do.
// A GPU may hang here or seem to work; neither is promised.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
      __syncthreads();  // the answer has it outside the `if`
    }
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
