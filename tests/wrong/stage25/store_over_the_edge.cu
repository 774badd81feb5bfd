// refused: out-of-bounds: the last thread stores four sums, and y ends within them
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 256
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned tile = blockIdx.x % cut.tiles, part = blockIdx.x / cut.tiles;
  const Columns<Vector> columns(std::size_t{tile} * cut.lanes + threadIdx.x % cut.lanes, a.columns);
  const std::size_t begin = part * cut.rows_a_part, end = min(begin + cut.rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end, cut.lanes), cut.lanes);
  if (cut.parts > 1 && !combine_parts<Vector>(sums, columns, tile, part, cut, workspace)) {
    return;
  }
  if (threadIdx.x < cut.lanes && columns.count > 0) {
    Columns<Vector> all = columns;
    all.count = Columns<Vector>::kWidth;
    store_sums(y, all, sums);
  }
}
