// SPDX-License-Identifier: MIT
// The answer of stage 34, compiled once for all of its wrong kernels. It launches what `sort_tiles` and `merge_runs`
// point to.
#pragma once
#include "workbook/student/block_sort.h"

namespace right {
template <typename Element>
__global__ void right_sort_tiles(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                                 std::size_t n);
template <typename Element>
void (*sort_tiles)(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                   std::size_t n) = right_sort_tiles<Element>;
extern void (*merge_runs)(workbook::KeyType type, workbook::ConstRecords from, workbook::Records to, std::size_t n,
                          std::size_t run);

// Renames the answer's definitions. It leaves its launches alone, as no parenthesis follows the name there.
#define sort_tiles(...) right_sort_tiles(__VA_ARGS__)
#define merge_runs(...) right_merge_runs(__VA_ARGS__)
#include "../../solution.cu"
#undef sort_tiles
#undef merge_runs

void (*merge_runs)(workbook::KeyType type, workbook::ConstRecords from, workbook::Records to, std::size_t n,
                   std::size_t run) = right_merge_runs;
}  // namespace right
