// refused: wrong-result: the last block adds up all parts but the last
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: wrong-elements
#include "../stage25_but_kernel.cuh"

// As combine_parts() of the answer, but for one thing.
template <typename Vector>
__device__ bool combine_wrongly(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                                const workbook::GemvWorkspace& workspace) {
  auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first / columns.kWidth;
  if (threadIdx.y == 0 && columns.count > 0) {
    partial_sums[blockIdx.y * all_vectors] = sums;
  }
  if (!is_last(workspace.tickets + blockIdx.x)) {
    return false;
  }
  sums = Vector{};
  for (unsigned part = threadIdx.y; part + 1 < gridDim.y && columns.count > 0; part += blockDim.y) {
    add_product(sums, partial_sums[part * all_vectors], 1.0f);
  }
  sums = sums_of_block(sums);
  return true;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end));
  const std::size_t all_vectors = divide_up(a.columns, Columns<Vector>::kWidth);
  if (gridDim.y > 1 && !combine_wrongly<Vector>(sums, columns, all_vectors, workspace)) {
    return;
  }
  if (threadIdx.y == 0) {
    store_sums(y, columns, sums);
  }
}
