// refused: race: warp 0 reads the sums of the other warps with no barrier after their stores
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: race-in-block
// Shuffles need no barrier within a warp. Between warps the sums pass through shared memory, and that takes one.
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__device__ float sum_of_block_without_barrier(float sum) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  return warp == 0 ? sum_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f) : 0.0f;
}

__global__ void __launch_bounds__(1024)
    reduce_wrongly(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  const float sum = sum_of_block_without_barrier(sum_of_thread(Layout(numbers, n)));
  if (threadIdx.x < 32) {
    combine_blocks(sum, partial_sums, ticket);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  reduce_wrongly<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                     workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
