// refused: wrong-result: keys are compared as numbers without a sign, whatever they are
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --type signed --block-size 1024
// hint: sort-sign
#include "answer/without_kernel.cuh"

template <unsigned kElements, typename Element, bool kGaps>
__global__ void sort_in_block(workbook::KeyType /*type*/, workbook::ConstRecords input, workbook::Records output,
                              std::size_t n) {
  extern __shared__ std::uint32_t words[];
  constexpr workbook::KeyType kType = workbook::KeyType::unsigned_ints;
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = load<Element>(kType, input, r * blockDim.x + threadIdx.x, n);
  }
  merge_runs<2, kGaps>(elements, words, blockDim.x * kElements);
  for (unsigned r = 0; r < kElements; ++r) {
    store(kType, output, threadIdx.x * kElements + r, n, elements[r]);
  }
}
