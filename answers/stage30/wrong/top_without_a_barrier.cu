// refused: race: a warp walks through a top that others still fill
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: race-in-block
#define fill_top(...) right_fill_top(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType>
__device__ void fill_top(std::uint32_t* top, const Index& index) {
  for (unsigned node = 1 + threadIdx.x; node < 1u << index.top_depth; node += blockDim.x) {
    const unsigned line = line_of_node(node, index.top_depth);
    top[node] =
        line < index.top_count ? workbook::ordinal_of(index.last.lines[std::size_t{line} * kLine], kType) : 0xffffffffu;
  }
}
