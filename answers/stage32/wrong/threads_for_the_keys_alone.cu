// refused: wrong-result: as many warps as keys need: of no power of two, a mirror lies outside of the block
// SPDX-License-Identifier: MIT
// shown by: --size 2500 --block-size 1024
// hint: shared-not-written
#include "answer/linked_answer.cuh"

using namespace right;

template <unsigned kElements, typename Element>
void launch(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
            cudaStream_t stream) {
  const auto warps = static_cast<unsigned>((n + kWarp * kElements - 1) / (kWarp * kElements));
  const unsigned bytes = padded<true>(kMostElements) * sizeof(std::uint32_t);
  const auto kernel = sort_in_block<kElements, Element, true>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<1, warps * kWarp, bytes, stream>>>(type, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& /*workspace*/, unsigned /*block_size*/, cudaStream_t stream) {
  (input.values == nullptr ? launch<16, Key> : launch<16, Pair>)(type, input, output, n, stream);
}
