// refused: wrong-result: each block of a tile stores the sums of its own rows as y
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: blocks-store-one-element
// Right where a tile has one block.
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end));
  if (threadIdx.y == 0) {
    store_sums(y, columns, sums);
  }
}
