// refused: race: the sums of the next row are stored where the first warp still reads those of this one
// SPDX-License-Identifier: MIT
// shown by: --size 44x1000 --block-size 256
// A block takes two rows of each team, one after the other, with the same shared memory for both. (A row that several
// blocks share is left to the answer.)
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const std::size_t teams = blockDim.x / cut.lanes;
  if (cut.parts > 1) {
    if (cut.lanes == 0) y[0] = static_cast<float>(workspace.tickets[0]);
    return;
  }
  for (unsigned row = 0; row < 2; ++row) {
    const std::size_t i = (std::size_t{blockIdx.x} * 2 + row) * teams + threadIdx.x / cut.lanes;
    float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, cut, 0) : 0.0f;
    sum = sum_of_team(sum, cut.lanes);
    if (i < a.rows && threadIdx.x % cut.lanes == 0) {
      y[i] = sum;
    }
  }
}
