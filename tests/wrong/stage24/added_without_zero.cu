// refused: wrong-result: the blocks of a row add their sums to y, which nobody has set to 0
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// And in an order that differs from run to run: so would the last bits.
#include "../stage24_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, vectors_a_part) : 0.0f;
  sum = sum_of_team(sum);
  if (i < a.rows && threadIdx.x == 0) {
    atomicAdd(&y[i], sum);
  }
}
