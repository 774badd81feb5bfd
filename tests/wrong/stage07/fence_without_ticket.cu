// refused: race: the block with the highest number adds up, but nothing says that the others have stored by then
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 100003 --block-size 256
// hint: race-between-blocks
// A fence orders what its own block does; it waits for nobody. And the last block by number is not the last to
// arrive: blocks run in any order, and only a count of those that are done tells who is the last.
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__device__ void combine_without_ticket(float sum, float* partial_sums) {
  const unsigned lane = threadIdx.x;
  if (lane == 0) {
    partial_sums[blockIdx.x] = sum;
    __threadfence();
  }
  __syncwarp();
  if (blockIdx.x + 1 < gridDim.x) {
    return;
  }
  float total = 0.0f;
  for (unsigned block = lane; block < gridDim.x; block += 32) {
    total += partial_sums[block];
  }
  total = sum_of_warp(total);
  if (lane == 0) {
    partial_sums[0] = total;
  }
}

__global__ void __launch_bounds__(1024) reduce_wrongly(const float* numbers, std::size_t n, float* partial_sums) {
  const float sum = sum_of_block(sum_of_thread(Layout(numbers, n)));
  if (threadIdx.x < 32) {
    combine_without_ticket(sum, partial_sums);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  reduce_wrongly<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
