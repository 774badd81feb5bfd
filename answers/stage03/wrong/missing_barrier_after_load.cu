// refused: race: thread 0 reads values[1] with no barrier after thread 1 has stored it
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// In the first step (stride 1) both threads are lanes of one warp. The barrier at the end of that step covers all later
// ones. So a machine that runs a warp in step always gets the right sum. This simulator is one, and nearly every GPU
// is. CUDA promises no such order among the lanes of a warp: since Volta each has its own program counter. So only a
// race checker can refuse this kernel. In stage 04 the same omission crosses warps, and the sum is wrong.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  // Here the answer has a barrier.

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
