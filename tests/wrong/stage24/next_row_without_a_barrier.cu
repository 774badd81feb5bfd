// refused: race: the sums of the next row are stored where the first warp still reads those of this one
// SPDX-License-Identifier: MIT
// shown by: --size 44x1000 --block-size 128
// Each block takes two rows a team, one after the other, with the same shared memory for both.
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  for (unsigned round = 0; round < 2; ++round) {
    const std::size_t i = (std::size_t{blockIdx.x} * 2 + round) * blockDim.y + threadIdx.y;
    float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, vectors_a_part) : 0.0f;
    sum = sum_of_team(sum);
    if (gridDim.y > 1 && i < a.rows && !combine_parts(sum, i, workspace)) {
      continue;
    }
    if (i < a.rows && threadIdx.x == 0) {
      y[i] = sum;
    }
  }
}
