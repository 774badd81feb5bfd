// SPDX-License-Identifier: MIT
// The answer of stage 05 without its kernel. Its host steps launch the reduce_segments of the including file. The
// second half of the kernel is here as a function.
#include "workbook/student/reduction.h"

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums);

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)
#include "../../solution.cu"
#undef reduce_segments

// The tree of the block over the sums of its threads, as in the answer's kernel.
__device__ void store_sum_of_block(float sum, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  values[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}
