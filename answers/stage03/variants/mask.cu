// SPDX-License-Identifier: MIT
// Variant: a mask for the modulo. 2 * stride is a power of two, so `tid & (2 * stride - 1)` is the remainder.
// To expect: what stage 04 gains beside it is the gain of the threads that work.
#include <cstddef>

#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums);

// Renames the answer's kernel, and not its launch: there no parenthesis follows the name.
#define reduce_segments(...) reduce_segments_by_modulo(__VA_ARGS__)
#include "../solution.cu"
#undef reduce_segments

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if ((tid & (2 * stride - 1)) == 0) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}
