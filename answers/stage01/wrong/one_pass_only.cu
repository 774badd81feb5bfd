// refused: wrong-result: the kernel is launched once, and the first of many partial sums is taken for the sum
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: some-lost
// Right for n up to block_size: one block is enough.
#include "answer/without_passes.cuh"

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  const std::size_t blocks = (n + block_size - 1) / block_size;
  reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;  // the answer goes on, with these as the numbers, until one is left
}
