// SPDX-License-Identifier: MIT
// The answer of stage 35, but with small tiles for every size: more kernels take long to compile.
#include "workbook/sort.h"

template <class SmallSort, class SmallMerge>
void sort_keys(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream);

// Renames the answer's definition, and not its call: there `<` follows the name.
#define sort_keys(...) right_sort_keys(__VA_ARGS__)
#include "../../answers/stage35/solution.cu"
#undef sort_keys

template <class SmallSort, class SmallMerge>
void sort_keys(KeyType type, ConstRecords input, Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  sort<KeyAlone, SmallSort, SmallMerge>(type, input, output, n, workspace, stream);
}
