// refused: wrong-result: each block of a row stores the sum of its own part as the element of y
// SPDX-License-Identifier: MIT
// shown by: --size 3x9004 --block-size 64
// hint: blocks-store-one-element
// Right where a row has one block.
#define combine_parts(...) combine_parts(Wrong(), __VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <unsigned kRows>
__device__ bool combine_parts(Wrong, float (&)[kRows], std::size_t, std::size_t, const workbook::GemvWorkspace&) {
  return true;
}
