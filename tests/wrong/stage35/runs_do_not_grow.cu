// refused: wrong-result: each pass merges runs as long as those of the first
// SPDX-License-Identifier: MIT
// shown by: --size 30000
// hint: sort-order
#include "workbook/sort.h"

template <class Element, class SortTile, class MergeTile>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          const workbook::SortWorkspace& workspace, cudaStream_t stream);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define sort(...) right_sort(__VA_ARGS__)
#include "../stage35_answer.cuh"
#undef sort

template <class Element, class SortTile, class MergeTile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  const KeyType ordinals = KeyType::unsigned_ints;
  int passes = 0;
  for (std::size_t run = SortTile::kSize; run < n; run *= 2) {
    ++passes;
  }
  Records to = output, other = workspace.records;
  if (passes % 2 != 0) {
    std::swap(to, other);
  }
  launch<SortTile, Element>(sort_tiles<SortTile, Element>, n, stream, input, to, n, type,
                            passes == 0 ? type : ordinals);
  for (std::size_t run = SortTile::kSize; run < n; run *= 2) {
    std::swap(to, other);
    launch<MergeTile, Element>(merge_runs<MergeTile, Element>, n, stream, ConstRecords{other.keys, other.values}, to, n,
                               std::size_t{SortTile::kSize}, 2 * run < n ? ordinals : type);
  }
}
