// refused: wrong-result: a tile that is not whole has no block
// SPDX-License-Identifier: MIT
// hint: lost-and-miscounted
#include "answer/linked_answer.cuh"

using namespace right;

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  const Cut cut = cut_keys(n, block_size);
  Board* const board = reinterpret_cast<Board*>(workspace.numbers);
  Tile* const tiles = reinterpret_cast<Tile*>(board + 1);
  const auto kernel = cut.pages == 1 ? find_all<T, 1> : find_all<T, kMostPages>;
  const unsigned tiles_that_are_whole = static_cast<unsigned>(n / (std::size_t{kWarp} * cut.pages * cut.threads));
  kernel<<<std::max(1u, tiles_that_are_whole), cut.threads, 0, workspace.stream>>>(keys, n, x, hits, board, tiles);
  CUDA_CHECK(cudaGetLastError());
}
