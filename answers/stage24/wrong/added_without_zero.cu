// refused: wrong-result: the blocks of a row add their sums to y, which no kernel has set to 0
// SPDX-License-Identifier: MIT
// shown by: --size 3x9004 --block-size 64
// hint: global-not-written
// And in an order that differs from run to run: so would the last bits.
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
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (i + r < a.rows) {
        atomicAdd(&y[i + r], sums[r]);
      }
    }
  }
}
