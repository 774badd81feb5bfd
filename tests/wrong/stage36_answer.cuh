// SPDX-License-Identifier: MIT
// The answer of stage 36, but with small tiles for every size: more kernels take long to compile.
#include "workbook/sort.h"

template <bool kHasValues>
void sort_by_size(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                  const workbook::SortWorkspace& workspace, cudaStream_t stream);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define sort_by_size(...) right_sort_by_size(__VA_ARGS__)
#include "../../answers/stage36/solution.cu"
#undef sort_by_size

template <bool kHasValues>
void sort_by_size(KeyType type, ConstRecords input, Records output, std::size_t n,
                  const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  sort<SmallTile<kHasValues>>(type, input, output, n, workspace, stream);
}
