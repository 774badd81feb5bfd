// refused: misaligned: float4 loads begin at the first number, whatever its address
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256 --misalign 1
// hint: misaligned-global
// The cast is a promise that the address is a multiple of 16. A GPU ends such a kernel with "misaligned address"
// and does not say where. Where n is small or the pointer fresh from cudaMalloc(), all is well.
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__global__ void __launch_bounds__(1024)
    reduce_wrongly(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  Layout layout(numbers, n);
  layout.head = 0;
  layout.vectors = reinterpret_cast<const float4*>(numbers);
  layout.vector_count = n / 4;
  layout.tail = n % 4;
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
