// refused: out-of-bounds: with `<=` there is one step too many, and thread 0 reads values[blockDim.x], behind the end
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: outside-shared
// On a GPU this reads whatever the block's shared memory holds there, or faults.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {  // the answer: <
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
