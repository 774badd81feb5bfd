// SPDX-License-Identifier: MIT
// The answer of stage 32 without the load of an element: its kernel takes the load of the including file.
#include "without_kernel.cuh"

template <typename Element>
__device__ Element load(workbook::KeyType type, const workbook::ConstRecords& records, std::size_t i, std::size_t n);

template <unsigned kElements, typename Element, bool kGaps>
__global__ void sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                              std::size_t n) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = load<Element>(type, input, r * blockDim.x + threadIdx.x, n);
  }
  merge_runs<2, kGaps>(elements, words, blockDim.x * kElements);
  for (unsigned r = 0; r < kElements; ++r) {
    store(type, output, threadIdx.x * kElements + r, n, elements[r]);
  }
}
