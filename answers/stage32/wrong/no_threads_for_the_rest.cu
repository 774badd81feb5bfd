// refused: barrier-divergence: warps without a key leave, and the others wait for them at the barriers
// SPDX-License-Identifier: MIT
// shown by: --size 1100 --block-size 1024
// hint: barrier-missed
#include "answer/without_kernel.cuh"

template <unsigned kElements, typename Element, bool kGaps>
__global__ void sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                              std::size_t n) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = load<Element>(type, input, r * blockDim.x + threadIdx.x, n);
  }
  if (threadIdx.x / kWarp * kWarp * kElements >= n) {
    return;
  }
  merge_runs<2, kGaps>(elements, words, blockDim.x * kElements);
  for (unsigned r = 0; r < kElements; ++r) {
    store(type, output, threadIdx.x * kElements + r, n, elements[r]);
  }
}
