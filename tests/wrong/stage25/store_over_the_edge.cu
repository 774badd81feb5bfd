// refused: out-of-bounds: the last thread stores four sums, and y ends within them
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 512
// hint: outside-global
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end));
  const std::size_t all_vectors = divide_up(a.columns, Columns<Vector>::kWidth);
  if (gridDim.y > 1 && !combine_parts<Vector>(sums, columns, all_vectors, workspace)) {
    return;
  }
  if (threadIdx.y == 0 && columns.count > 0) {
    Columns<Vector> all = columns;
    all.count = Columns<Vector>::kWidth;
    store_sums(y, all, sums);
  }
}
