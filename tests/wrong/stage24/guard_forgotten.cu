// refused: out-of-bounds: the last block has teams for rows that do not exist
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 256
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x / cut.parts} * (blockDim.x / cut.lanes) + threadIdx.x / cut.lanes;
  const unsigned part = blockIdx.x % cut.parts;
  float sum = sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, cut, part);
  sum = sum_of_team(sum, cut.lanes);
  if (cut.parts > 1 && !combine_parts(sum, i, part, cut.parts, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (threadIdx.x % cut.lanes == 0) {
    y[i] = sum;
  }
}
