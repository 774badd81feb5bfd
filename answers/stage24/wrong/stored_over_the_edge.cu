// refused: out-of-bounds: the last teams store sums of rows that do not exist
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
// hint: outside-global
#define multiply_rows(...) right_multiply_rows(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * kRows;
  float sums[kRows];
  sum_lane<Vector>(sums, a, x, i, vectors_a_part);
  sum_team(sums);
  if (gridDim.y > 1 && !combine_parts(sums, a.rows, i, workspace)) {
    return;  // another block of these rows stores their sums
  }
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (r < kRows) {
        y[i + r] = sums[r];
      }
    }
  }
}
