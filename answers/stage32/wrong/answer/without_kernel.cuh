// SPDX-License-Identifier: MIT
// The answer of stage 32 without its kernel. The kernel of the including file takes its place for one type of elements,
// as two take long to compile. The type is Key, for keys without values, unless the file defines WRONG_ELEMENT as Pair.
#include "linked_answer.cuh"

#ifndef WRONG_ELEMENT
#define WRONG_ELEMENT Key
#endif

using namespace right;

template <unsigned kElements, typename Element, bool kGaps>
__global__ void sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                              std::size_t n);

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  right::sort_in_block<16, WRONG_ELEMENT, true> = sort_in_block<16, WRONG_ELEMENT, true>;
  right::sort_on_device(type, input, output, n, workspace, block_size, stream);
}
#undef WRONG_ELEMENT
