// refused: race: the sums of the next row are stored where the first warp still reads those of this one
// SPDX-License-Identifier: MIT
// shown by: --size 44x1100 --block-size 128
// hint: race-in-block
// Each block takes the rows of two teams, one after the other. Both have the same shared memory.
#define multiply_rows(...) right_multiply_rows(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  for (unsigned round = 0; round < 2; ++round) {
    const std::size_t i = ((std::size_t{blockIdx.x} * 2 + round) * blockDim.y + threadIdx.y) * kRows;
    float sums[kRows];
    sum_lane<Vector>(sums, a, x, i, vectors_a_part);
    sum_team(sums);
    if (gridDim.y > 1 && i < a.rows && !combine_parts(sums, a.rows, i, workspace)) {
      continue;
    }
    for (unsigned r = 0; threadIdx.x == 0 && r < kRows && i + r < a.rows; ++r) {
      y[i + r] = sums[r];
    }
  }
}
