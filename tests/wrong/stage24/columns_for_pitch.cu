// refused: wrong-result: row i begins at i * columns, as if there were no padding
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 128
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.columns, x, a.columns, vectors_a_part) : 0.0f;
  sum = sum_of_team(sum);
  if (gridDim.y > 1 && !combine_parts(sum, i, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (i < a.rows && threadIdx.x == 0) {
    y[i] = sum;
  }
}
