// refused: out-of-bounds: the last block has teams for rows that do not exist
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  float sum = sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, vectors_a_part);
  sum = sum_of_team(sum);
  if (gridDim.y > 1 && !combine_parts(sum, i, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (threadIdx.x == 0) {
    y[i] = sum;
  }
}
