// refused: race: the sums of the next row are stored where the first warp still reads those of this one
// SPDX-License-Identifier: MIT
// shown by: --size 44x1000 --block-size 256
// Each block takes two rows a team, one after the other, with the same shared memory for both.
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned teams = blockDim.x / cut.lanes, part = blockIdx.x % cut.parts;
  for (unsigned round = 0; round < 2; ++round) {
    const std::size_t i = (std::size_t{blockIdx.x / cut.parts} * 2 + round) * teams + threadIdx.x / cut.lanes;
    float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, cut, part) : 0.0f;
    sum = sum_of_team(sum, cut.lanes);
    if (cut.parts > 1 && i < a.rows && !combine_parts(sum, i, part, cut.parts, workspace)) {
      continue;
    }
    if (i < a.rows && threadIdx.x % cut.lanes == 0) {
      y[i] = sum;
    }
  }
}
