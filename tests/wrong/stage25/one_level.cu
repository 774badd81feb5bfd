// refused: wrong-result: the last block of each group stores the sums of its group as y
// SPDX-License-Identifier: MIT
// shown by: --size 9001x3 --block-size 64
// Right where there are no more parts than one group has.
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__device__ bool combine_wrongly(Vector& sums, const Columns<Vector>& columns, unsigned tile, unsigned part,
                                const Cut& cut, const workbook::GemvWorkspace& workspace) {
  auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first / columns.kWidth;
  unsigned level = 0;
  for (unsigned step = 1; step < cut.parts; step *= kGroup, ++level) {
    const unsigned first = part / (step * kGroup) * (step * kGroup);
    const unsigned members = min(kGroup, (cut.parts - first + step - 1) / step);
    if (threadIdx.x < cut.lanes && columns.count > 0) {
      partial_sums[part / step * step * cut.vectors] = sums;
    }
    if (!is_last(workspace.tickets + std::size_t{tile} * cut.parts + first + level, members)) {
      return false;
    }
    sums = Vector{};
    for (unsigned member = threadIdx.x / cut.lanes; member < members; member += blockDim.x / cut.lanes) {
      if (columns.count > 0) {
        add_product(sums, partial_sums[(first + member * step) * cut.vectors], 1.0f);
      }
    }
    sums = sums_of_block(sums, cut.lanes);
    break;
  }
  return true;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned tile = blockIdx.x % cut.tiles, part = blockIdx.x / cut.tiles;
  const Columns<Vector> columns(std::size_t{tile} * cut.lanes + threadIdx.x % cut.lanes, a.columns);
  const std::size_t begin = part * cut.rows_a_part, end = min(begin + cut.rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end, cut.lanes), cut.lanes);
  if (cut.parts > 1 && !combine_wrongly<Vector>(sums, columns, tile, part, cut, workspace)) {
    return;
  }
  if (threadIdx.x < cut.lanes) {
    store_sums(y, columns, sums);
  }
}
