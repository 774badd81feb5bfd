// refused: wrong-result: row i begins at i * columns, as if there were no padding
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 256
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x / cut.parts} * (blockDim.x / cut.lanes) + threadIdx.x / cut.lanes;
  const unsigned part = blockIdx.x % cut.parts;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.columns, x, a.columns, cut, part) : 0.0f;
  sum = sum_of_team(sum, cut.lanes);
  if (cut.parts > 1 && !combine_parts(sum, i, part, cut.parts, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (i < a.rows && threadIdx.x % cut.lanes == 0) {
    y[i] = sum;
  }
}
