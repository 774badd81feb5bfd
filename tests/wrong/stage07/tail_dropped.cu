// refused: wrong-result: the numbers after the last whole vector of four are not added
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// lead: elements 32 to 34, the last 3
// hint: tail-lost
// n / 4 vectors hold all numbers only where n is a multiple of 4. 16,777,216 is, so the size of the lessons shows
// nothing.
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__global__ void __launch_bounds__(1024)
    reduce_wrongly(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  Layout layout(numbers, n);
  layout.tail = 0;  // n / 4 vectors, and nobody adds what lies after them
  const float sum = sum_of_block(sum_of_thread(layout));
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
