// refused: race: no barrier after the sums are written, so the next step reads sums that are not there yet
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// Between two barriers a warp writes the sums of one step. It also reads the neighbours of the next. In the plain
// schedule warp 0 reads data[32] for the step of stride 32. Warp 1 has not yet written there its sum of stride 16.
#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const bool has_neighbour = tid + stride < blockDim.x && i + stride < n;
    const float neighbour = has_neighbour ? data[i + stride] : 0.0f;
    __syncthreads();
    if (has_neighbour) {
      data[i] += neighbour;
    }
    // Here the answer has its second barrier.
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

#define reduce_segments(...) right_reduce_segments(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef reduce_segments
