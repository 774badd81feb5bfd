// refused: wrong-result: tiles are sorted by key and value, and equal keys leave the order of the input
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --distribution two --values from-end --block-size 256
// hint: sort-unstable
#include "answer/linked_answer.cuh"

using namespace right;

template <typename Element>
__global__ void sort_tiles(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                           std::size_t n) {
  extern __shared__ std::uint32_t words[];
  const std::size_t begin = blockIdx.x * kTile;
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = workbook::load<Element>(type, input, begin + r * kThreads + threadIdx.x, n);
  }
  workbook::sort_block<kThreads>(elements, words);
  for (unsigned r = 0; r < kElements; ++r) {
    workbook::store(type, output, begin + r * kThreads + threadIdx.x, n, elements[r]);
  }
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  right::sort_tiles<Pair> = sort_tiles<Pair>;
  right::sort_on_device(type, input, output, n, workspace, block_size, stream);
}
