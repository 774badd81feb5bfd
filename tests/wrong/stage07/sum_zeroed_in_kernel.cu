// refused: race: block 0 sets the sum to 0 while other blocks may have added to it already
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 100003 --block-size 256
// hint: atomic-beside-plain
// No partial sums and no ticket: each block adds its sum to one number by atomicAdd(). That number must be 0
// before, and "the first block" does that in the same launch. But no block is the first: what others have added by
// then is lost. Set it to 0 in the stream before the launch, by cudaMemsetAsync() (variants/atomic_add.cu).
#include "workbook/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../../../answers/stage07/solution.cu"
#undef reduce_on_device

__global__ void __launch_bounds__(1024) reduce_wrongly(const float* numbers, std::size_t n, float* total) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *total = 0.0f;
  }
  const float sum = sum_of_block(sum_of_thread(Layout(numbers, n)));
  if (threadIdx.x == 0) {
    atomicAdd(total, sum);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  reduce_wrongly<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
