// SPDX-License-Identifier: MIT
// The answer of stage 32, compiled once for all of its wrong kernels. It launches what `sort_in_block` points to.
#pragma once
#include "workbook/student/shared_memory.h"
#include "workbook/student/sort.h"

namespace right {
template <unsigned kElements, typename Element, bool kGaps>
__global__ void right_sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                                    std::size_t n);
template <unsigned kElements, typename Element, bool kGaps>
void (*sort_in_block)(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                      std::size_t n) = right_sort_in_block<kElements, Element, kGaps>;

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define sort_in_block(...) right_sort_in_block(__VA_ARGS__)
#include "../../solution.cu"
#undef sort_in_block
}  // namespace right
