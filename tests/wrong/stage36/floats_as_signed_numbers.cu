// refused: wrong-result: of two negative floats the larger one has the smaller bits
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --type float
// hint: sort-sign
#include "workbook/sort.h"

#define sort_on_device right_sort_on_device
#include "../stage36_answer.cuh"
#undef sort_on_device

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  const KeyType taken = type == KeyType::floats ? KeyType::signed_ints : type;
  right_sort_on_device(taken, input, output, n, workspace, block_size, stream);
}
