// refused: failed-launch: the launch asks for more threads than a block can have, is refused, and the code does not ask
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: refused-launch
// A refused launch returns nothing. Only cudaGetLastError() reports it, and here it is not called. The partial sums are
// whatever the memory held. The workbook asks after the call, and reports the launch that was refused.
#include "answer/without_passes.cuh"

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  float* partial_sums = workspace.partial_sums;
  do {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), 2048>>>(data, n, partial_sums);  // the answer: block_size
    // Here the answer asks cudaGetLastError().
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  return data;
}
