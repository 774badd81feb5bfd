// refused: wrong-result: the switch has no case for 1024 threads, so that no kernel is launched, without any error
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 1024
// hint: output-not-written
// There is nothing for cudaGetLastError() to report: there was no launch. A case without code must never pass. A switch
// over the block size needs a default that complains.
#include "workbook/student/reduction.h"

#define reduce_on_device right_reduce_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef reduce_on_device

void launch_without_1024(unsigned blocks, unsigned block_size, const float* numbers, std::size_t n,
                         float* partial_sums) {
  switch (block_size) {
    case 32:
      return reduce_segments<32, kCoarseFactor><<<blocks, 32>>>(numbers, n, partial_sums);
    case 64:
      return reduce_segments<64, kCoarseFactor><<<blocks, 64>>>(numbers, n, partial_sums);
    case 128:
      return reduce_segments<128, kCoarseFactor><<<blocks, 128>>>(numbers, n, partial_sums);
    case 256:
      return reduce_segments<256, kCoarseFactor><<<blocks, 256>>>(numbers, n, partial_sums);
    case 512:
      return reduce_segments<512, kCoarseFactor><<<blocks, 512>>>(numbers, n, partial_sums);
    default:  // the answer has a case for 1024, and throws here
      return;
  }
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  const std::size_t segment_size = std::size_t{kCoarseFactor} * block_size;
  const float* numbers = input;
  float* partial_sums = workspace.partial_sums;
  float* next_partial_sums = workspace.next_partial_sums;
  do {
    const std::size_t blocks = (n + segment_size - 1) / segment_size;
    launch_without_1024(static_cast<unsigned>(blocks), block_size, numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);
    n = blocks;
  } while (n > 1);
  return numbers;
}
