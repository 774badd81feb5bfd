// refused: wrong-result: one ticket counts the blocks of all rows, and a row gets its sum from an early block
// SPDX-License-Identifier: MIT
// shown by: --size 3x9004 --block-size 64
// hint: race-between-blocks
// A ticket counts the blocks of one sum: each row needs its own.
#define combine_parts(...) combine_parts(Wrong(), __VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <unsigned kRows>
__device__ bool combine_parts(Wrong, float (&sums)[kRows], std::size_t rows, std::size_t i,
                              const workbook::GemvWorkspace& workspace) {
  float* const partial_sums = workspace.partial_sums + i * gridDim.y;
  for (unsigned r = 0; threadIdx.x == 0 && r < kRows && i + r < rows; ++r) {
    partial_sums[r * gridDim.y + blockIdx.y] = sums[r];
  }
  if (!is_last(workspace.tickets)) {
    return false;
  }
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    sums[r] = 0.0f;
    for (unsigned part = threadIdx.x; part < gridDim.y && i + r < rows; part += blockDim.x) {
      sums[r] += partial_sums[r * gridDim.y + part];
    }
  }
  sum_team(sums);
  return true;
}
