// refused: wrong-result: the loop ends before stride 1, so that values[1], half of the segment, is never added
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// diagnosis: every 2nd element, beginning with 1
// hint: every-so-many-lost
// Off by one at the end of a loop that halves.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 1; stride /= 2) {  // the answer: stride > 0
    if (tid < stride) {
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
