// refused: warp-mask: the mask names all 32 lanes, but only as many come to the shuffles as the block has warps
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: warp-mask
// The last step of the block has one number a warp: 8 of them in a block of 256. Those lanes alone go on, and the
// mask names lanes that never come. All is well in blocks of 1,024 threads, which have 32 warps. Let the whole warp
// come, and give zeros to the lanes that have no number.
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__device__ float sum_of_block_by_few_lanes(float sum) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x < blockDim.x / 32) {
    sum = sum_of_warp(warp_sums[lane]);
  }
  __syncwarp();
  return sum;
}

__global__ void __launch_bounds__(1024)
    reduce_wrongly(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  const float sum = sum_of_block_by_few_lanes(sum_of_thread(Layout(numbers, n)));
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
