// refused: wrong-result: one ticket counts the blocks of all rows, and a row gets its sum from whoever is early
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// hint: race-between-blocks
// A ticket counts the blocks of one sum: each row needs its own.
#include "../stage24_but_kernel.cuh"

// As combine_parts() of the answer, but for one thing.
template <unsigned kRows>
__device__ bool combine_wrongly(float (&sums)[kRows], std::size_t rows, std::size_t i,
                                const workbook::GemvWorkspace& workspace) {
  float* const partial_sums = workspace.partial_sums + i * gridDim.y;
  for (unsigned r = 0; threadIdx.x == 0 && r < kRows && i + r < rows; ++r) {
    partial_sums[r * gridDim.y + blockIdx.y] = sums[r];
  }
  if (!is_last(workspace.tickets)) {
    return false;
  }
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    sums[r] = 0.0f;
    for (unsigned part = threadIdx.x; part < gridDim.y && i + r < rows; part += blockDim.x) {
      sums[r] += partial_sums[r * gridDim.y + part];
    }
  }
  sum_team(sums);
  return true;
}

template <typename Vector, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * kRows;
  float sums[kRows];
  sum_lane<Vector>(sums, a, x, i, vectors_a_part);
  sum_team(sums);
  if (gridDim.y > 1 && !combine_wrongly(sums, a.rows, i, workspace)) {
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
