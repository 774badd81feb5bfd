// refused: wrong-result: each block of a tile stores the sums of its own rows as y
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: blocks-store-one-element
// Right where a tile has one block.
#define combine_parts(...) right_combine_parts(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ bool combine_parts(Vector&, const Columns<Vector>&, std::size_t, const workbook::GemvWorkspace&) {
  return true;
}
