// SPDX-License-Identifier: MIT
// fails: own full
// Variant: each block adds its sum to the result by atomicAdd(): no partial sums, no ticket, no last block. The result
// must be 0 before. Only the stream can see to that: a cudaMemsetAsync() before the launch.
// To expect: as fast as the answer where n is large. At small n the memset is a second thing to start. It costs about
// what the last block of the answer does. The order of the additions is that in which blocks end: bits differ from run
// to run. Besides, it is one chain of additions, as long as there are blocks. With blocks of 32 threads the error is
// larger than the tests allow for trees, so their largest size is left out.
#include "answer_parts.cuh"

__global__ void __launch_bounds__(1024) reduce_with_atomics(const float* numbers, std::size_t n, float* result) {
  const float sum = sum_of_block(sum_of_thread(Layout(numbers, n)));
  if (threadIdx.x == 0) {
    atomicAdd(result, sum);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  float* const result = workspace.partial_sums;
  CUDA_CHECK(cudaMemsetAsync(result, 0, sizeof(float), workspace.stream));
  reduce_with_atomics<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, result);
  CUDA_CHECK(cudaGetLastError());
  return result;
}
