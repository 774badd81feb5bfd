// refused: wrong-result: each block of a row stores the sum of its own part as the element of y
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// hint: blocks-store-one-element
// Right where a row has one block.
#include "../stage24_but_kernel.cuh"

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
        y[i + r] = sums[r];
      }
    }
  }
}
