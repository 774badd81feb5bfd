// refused: race: a thread reads a number that its owner changes in the same step
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random --size 1000003 --block-size 256
// hint: race-in-block
// At stride s, thread 0 reads data[s] while thread s adds data[2 * s] to it. Within a warp (s below 32) the lanes of
// this machine read together and then write together, and the result is right. At s = 32, 64, ... the two are in
// different warps. Warp 1 may finish its step before warp 0 reads. Then data[32] already holds the sum of warp 2, which
// is counted twice. In the plain schedule warp 0 comes first and the sum is right; a random one finds the wrong sum.
// Needs three warps (the step s = 32 of warp 1 must have a neighbour): block sizes from 128.
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid + stride < blockDim.x && i + stride < n) {
      data[i] += data[i + stride];  // the answer has a barrier between reading and adding
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  float* partial_sums = workspace.partial_sums;
  do {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  return data;
}
