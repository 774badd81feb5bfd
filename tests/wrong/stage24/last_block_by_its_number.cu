// refused: race: the block of the last part adds up what the others may not have stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// Blocks run in any order, and a fence does not wait.
#include "../stage24_but_kernel.cuh"

// As combine_parts() of the answer, but for one thing.
__device__ bool combine_wrongly(float& sum, std::size_t i, const workbook::GemvWorkspace& workspace) {
  float* const partial_sums = workspace.partial_sums + i * gridDim.y;
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.y] = sum;
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.y + 1 < gridDim.y) {
    return false;
  }
  sum = 0.0f;
  for (unsigned part = threadIdx.x; part < gridDim.y; part += blockDim.x) {
    sum += partial_sums[part];
  }
  sum = sum_of_team(sum);
  return true;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                  workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, vectors_a_part) : 0.0f;
  sum = sum_of_team(sum);
  if (gridDim.y > 1 && !combine_wrongly(sum, i, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (i < a.rows && threadIdx.x == 0) {
    y[i] = sum;
  }
}
