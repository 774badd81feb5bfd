// SPDX-License-Identifier: MIT
// The answer of stage 35, but for one type of elements and with small tiles: more kernels take long to compile. The
// file that includes this leaves the other type to the answer: keys with values, unless it defines WRONG_ELEMENT as
// KeyAndPlace.
#include "linked_answer.cuh"

#ifndef WRONG_ELEMENT
#define WRONG_ELEMENT KeyAlone
#endif

template <class Element, class SortTile, class MergeTile>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          const workbook::SortWorkspace& workspace, cudaStream_t stream);
template <class SmallSort, class SmallMerge>
void sort_keys(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream);

// Renames the answer's definitions, and not its calls: there `<` follows the name.
#define sort(...) right_sort(__VA_ARGS__)
#define sort_keys(...) right_sort_keys(__VA_ARGS__)
#include "../../solution.cu"
#undef sort
#undef sort_keys

template <class Element, class SortTile, class MergeTile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  if constexpr (std::is_same_v<Element, WRONG_ELEMENT>) {
    right_sort<Element, SortTile, MergeTile>(type, input, output, n, workspace, stream);
  } else {
    right::sort_on_device(type, input, output, n, workspace, 0, stream);
  }
}

template <class SmallSort, class SmallMerge>
void sort_keys(KeyType type, ConstRecords input, Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  sort<KeyAlone, SmallSort, SmallMerge>(type, input, output, n, workspace, stream);
}
#undef WRONG_ELEMENT
