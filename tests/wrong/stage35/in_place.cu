// refused: race: a pass writes where other blocks still read
// SPDX-License-Identifier: MIT
// shown by: --size 12000
// hint: outside-shared
#include "workbook/sort.h"

template <class Element, class SortTile, class MergeTile>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          const workbook::SortWorkspace& workspace, cudaStream_t stream);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define sort(...) right_sort(__VA_ARGS__)
#include "../stage35_answer.cuh"
#undef sort

template <class Element, class SortTile, class MergeTile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace&,
          cudaStream_t stream) {
  const KeyType ordinals = KeyType::unsigned_ints;
  launch<SortTile, Element>(sort_tiles<SortTile, Element>, n, stream, input, output, n, type,
                            n <= SortTile::kSize ? type : ordinals);
  for (std::size_t run = SortTile::kSize; run < n; run *= 2) {
    launch<MergeTile, Element>(merge_runs<MergeTile, Element>, n, stream, ConstRecords{output.keys, output.values},
                               output, n, run, 2 * run < n ? ordinals : type);
  }
}
