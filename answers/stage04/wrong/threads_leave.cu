// refused: barrier-divergence: the threads that are done leave, and the barrier of the next step is for all threads
// SPDX-License-Identifier: MIT
// shown by: --size 1003 --block-size 64
// hint: barrier-missed
// The sum is right, on a GPU too: its barriers wait only for threads that have not left. A step that needs the threads
// again, as the load of a second segment would, has lost them.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid >= stride) return;  // the answer keeps all threads
    values[tid] += values[tid + stride];
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
