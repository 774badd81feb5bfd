// refused: wrong-result: the shuffles go over the whole warp, also where a team is smaller: a row gets those of others
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 128
// hint: wrong-elements
#include "../stage24_but_kernel.cuh"

template <typename Vector, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * kRows;
  float sums[kRows];
  sum_lane<Vector>(sums, a, x, i, vectors_a_part);
  for (unsigned offset = kWarp / 2; offset > 0 && blockDim.x < kWarp; offset /= 2) {
    for (unsigned r = 0; r < kRows; ++r) {
      sums[r] += __shfl_down_sync(0xffffffffu, sums[r], offset);
    }
  }
  if (blockDim.x >= kWarp) {
    sum_team(sums);
  }
  if (gridDim.y > 1 && !combine_parts(sums, a.rows, i, workspace)) {
    return;  // another block of these rows stores their sums
  }
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (i + r < a.rows) {
        y[i + r] = sums[r];
      }
    }
  }
}
