// refused: wrong-result: the last block of all adds up its own row, and no other row gets its sum
// SPDX-License-Identifier: MIT
// shown by: --size 3x9001 --block-size 64
// A ticket counts the blocks of one sum: each row needs its own.
#include "../stage24_but_kernel.cuh"

// All but the ticket is that of the answer.
__device__ bool combine_wrongly(float& sum, std::size_t i, unsigned part, unsigned parts,
                                const workbook::GemvWorkspace& workspace) {
  float* const partial_sums = workspace.partial_sums + i * parts;
  if (!is_last(sum, partial_sums, workspace.tickets, part, gridDim.x)) {
    return false;
  }
  sum = 0.0f;
  for (unsigned other = threadIdx.x; other < parts; other += blockDim.x) {
    sum += partial_sums[other];
  }
  sum = sum_of_team(sum, blockDim.x);
  return true;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_rows(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const std::size_t i = std::size_t{blockIdx.x / cut.parts} * (blockDim.x / cut.lanes) + threadIdx.x / cut.lanes;
  const unsigned part = blockIdx.x % cut.parts;
  float sum = i < a.rows ? sum_of_lane<Vector>(a.data + i * a.pitch, x, a.columns, cut, part) : 0.0f;
  sum = sum_of_team(sum, cut.lanes);
  if (cut.parts > 1 && !combine_wrongly(sum, i, part, cut.parts, workspace)) {
    return;  // another block of the row stores its sum
  }
  if (i < a.rows && threadIdx.x % cut.lanes == 0) {
    y[i] = sum;
  }
}
