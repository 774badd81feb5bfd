// SPDX-License-Identifier: MIT
// Variant: a mask for the modulo. 2 * stride is a power of two, so `tid & (2 * stride - 1)` is the remainder.
// To expect: the same counters but for the divisions, and the time without them. That says what the modulo costs.
#include <cstddef>

#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums);

// Renames the answer's kernel, and not its launch: there no parenthesis follows the name.
#define reduce_segments(...) reduce_segments_by_modulo(__VA_ARGS__)
#include "../solution.cu"
#undef reduce_segments

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if ((tid & (2 * stride - 1)) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}
