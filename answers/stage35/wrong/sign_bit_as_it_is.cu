// refused: wrong-result: signed numbers are sorted by their bits: those with the sign come last
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --type signed
// hint: sort-sign
#include "answer/linked_answer.cuh"

using namespace right;

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  const KeyType taken = type == KeyType::signed_ints ? KeyType::unsigned_ints : type;
  right::sort_on_device(taken, input, output, n, workspace, block_size, stream);
}
