// refused: race: the block of the last part adds up what the others may not have stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// Blocks run in any order.
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const std::size_t team = threadIdx.x / cut.lanes, teams = blockDim.x / cut.lanes;
  const std::size_t i = blockIdx.x / cut.parts * teams + team;
  const unsigned part = blockIdx.x % cut.parts;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, cut, part) : 0.0f;
  sum = sum_of_team(sum, cut.lanes);
  if (cut.parts > 1) {
    float* const partial_sums = workspace.partial_sums + i * cut.parts;
    if (threadIdx.x == 0) {
      partial_sums[part] = sum;
      __threadfence();
    }
    __syncthreads();
    if (part + 1 < cut.parts) {
      return;
    }
    sum = 0.0f;
    for (unsigned other = threadIdx.x; other < cut.parts; other += blockDim.x) {
      sum += partial_sums[other];
    }
    sum = sum_of_team(sum, cut.lanes);
  }
  if (i < a.rows && threadIdx.x % cut.lanes == 0) {
    y[i] = sum;
  }
}
