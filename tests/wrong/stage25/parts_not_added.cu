// refused: wrong-result: each block of a tile stores the sums of its own rows as y
// SPDX-License-Identifier: MIT
// shown by: --size 400x300 --block-size 64
// Right where a tile has one block.
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned tile = blockIdx.x % cut.tiles, part = blockIdx.x / cut.tiles;
  const Columns<Vector> columns(std::size_t{tile} * cut.lanes + threadIdx.x % cut.lanes, a.columns);
  const std::size_t begin = part * cut.rows_a_part, end = min(begin + cut.rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end, cut.lanes), cut.lanes);
  if (threadIdx.x < cut.lanes) {
    store_sums(y, columns, sums);
  }
}
