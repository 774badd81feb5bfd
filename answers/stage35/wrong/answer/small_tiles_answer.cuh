// SPDX-License-Identifier: MIT
// The answer of stage 35 for one type of elements, with small tiles: more kernels take long to compile. The including
// file leaves the other type to linked_answer.cuh: keys with values, unless it defines WRONG_ELEMENT as KeyAndPlace.
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

// Renames the answer's definitions. It leaves its calls alone, as `<` follows the name there.
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
