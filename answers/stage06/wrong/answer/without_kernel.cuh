// SPDX-License-Identifier: MIT
// The answer of stage 06 without its kernel. Its host steps launch the reduce_segments of the including file. What the
// kernel does before its last warp is alone is here as functions.
#include "workbook/student/reduction.h"

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums);

// Renames the answer's definition. It leaves its launches alone, as no parenthesis follows the name there.
#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)
#include "../../solution.cu"
#undef reduce_segments

// The sum of this thread's kFactor numbers, as in the answer's kernel.
template <unsigned kBlockSize, unsigned kFactor>
__device__ float sum_of_thread(const float* input, std::size_t n) {
  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * kBlockSize;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * kBlockSize + threadIdx.x;
    sum += i < n ? input[i] : 0.0f;
  }
  return sum;
}

// The steps in shared memory, as in the answer's kernel, which leave values[0] to values[63] to the first warp.
template <unsigned kBlockSize>
__device__ void add_until_64_are_left(float sum, float* values) {
  const unsigned tid = threadIdx.x;
  values[tid] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned stride = kBlockSize / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
}
