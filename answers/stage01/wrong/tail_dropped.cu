// refused: wrong-result: the grid is rounded down, so the numbers after the last whole segment are never added
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// diagnosis: elements 96 to 99, the last 4
// hint: tail-lost
// Right whenever block_size divides n. It must also divide the number of partial sums of every pass after that.
#include "answer/without_passes.cuh"

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  float* partial_sums = workspace.partial_sums;
  do {
    const std::size_t blocks = n < block_size ? 1 : n / block_size;  // the answer rounds up
    reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  return data;
}
