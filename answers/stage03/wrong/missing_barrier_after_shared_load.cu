// refused: race: a quarter of the threads loads for all, and no barrier makes the others wait
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 1000003 --block-size 256
// hint: race-in-block
// This makes the missing barrier of missing_barrier_after_load.cu visible. Here a warp adds numbers that another warp
// loads. In the plain schedule warp 0 runs first and the loads are done in time. In the reverse order the last warp
// adds what the shared memory held before. Needs two warps: block sizes from 64.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  const std::size_t segment = i - tid;
  for (unsigned k = 4 * tid; k < 4 * tid + 4 && k < blockDim.x; ++k) {
    values[k] = segment + k < n ? input[segment + k] : 0.0f;
  }
  // Here must be a barrier, as after the load of the answer.

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
