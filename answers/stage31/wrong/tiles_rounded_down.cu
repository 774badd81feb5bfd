// refused: wrong-result: the steps behind the last whole tile have no block
// SPDX-License-Identifier: MIT
// shown by: --size 20011x3001
// hint: output-not-written
#include "answer/linked_answer.cuh"

using namespace right;

void search_sorted_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                             cudaStream_t stream) {
  const Lists lists{search.keys, search.n, search.queries, search.m};
  const std::size_t tiles = (lists.n + lists.m) / kTile;
  if (tiles == 0) {
    return right::search_sorted_on_device(search, workspace, block_size, stream);
  }
  constexpr unsigned kSplitThreads = 128;
  const auto split_blocks = static_cast<unsigned>(tiles / kSplitThreads + 1);
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    constexpr KeyType kType = decltype(type)::value;
    constexpr Bound kBound = decltype(bound)::value;
    split_merge<kType, kBound><<<split_blocks, kSplitThreads, 0, stream>>>(lists, tiles, workspace);
    CUDA_CHECK(cudaGetLastError());
    merge_tiles<kType, kBound>
        <<<static_cast<unsigned>(tiles), block_size, 0, stream>>>(lists, workspace, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
