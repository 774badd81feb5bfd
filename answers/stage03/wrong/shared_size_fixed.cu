// refused: out-of-bounds: the shared array has 256 elements, and a block of 1024 threads writes behind it
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 1024
// hint: outside-shared
// Right for every block size up to 256.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[256];  // the answer: extern, of the size that the launch asks for
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
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
