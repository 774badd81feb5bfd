// refused: race: block 0 sets the sum to 0 while other blocks may have added to it already
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 100003 --block-size 256
// hint: atomic-beside-plain
// No partial sums and no ticket. Each block adds its sum to one number by atomicAdd(). That number must be 0 before,
// and "the first block" does that in the same launch. But no block is the first: what others have added by then is
// lost. Set it to 0 in the stream before the launch, by cudaMemsetAsync() (answers/stage07/variants/atomic_add.cu).
#include "answer/linked_answer.cuh"

__global__ void __launch_bounds__(1024)
    reduce_wrongly(const float* numbers, std::size_t n, float* total, unsigned* /*ticket*/) {
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
  right::reduce_in_one_pass = reduce_wrongly;
  return right::reduce_on_device(numbers, n, block_size, workspace);
}
