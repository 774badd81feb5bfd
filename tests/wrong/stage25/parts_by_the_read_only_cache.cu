// refused: race: the last block reads by load_once() what other blocks have stored in the same launch
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=race --size 4000x300 --block-size 128
// hint: read-only-cache
// The ticket orders the stores before the reads, and for the read-only cache that is nothing.
#include "../stage25_but_kernel.cuh"

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_of_block(sums_of_thread<Vector>(a, x, columns, begin, end));
  if (gridDim.y > 1) {
    const std::size_t all_vectors = divide_up(a.columns, Columns<Vector>::kWidth);
    auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first / columns.kWidth;
    if (threadIdx.y == 0 && columns.count > 0) {
      partial_sums[blockIdx.y * all_vectors] = sums;
    }
    if (!is_last(workspace.tickets + blockIdx.x)) {
      return;
    }
    sums = Vector{};
    for (unsigned part = threadIdx.y; part < gridDim.y && columns.count > 0; part += blockDim.y) {
      if constexpr (sizeof(Vector) == sizeof(float4)) {
        add_product(sums, load_once(&partial_sums[part * all_vectors]), 1.0f);
      } else {
        add_product(sums, __ldg(&partial_sums[part * all_vectors]), 1.0f);
      }
    }
    sums = sums_of_block(sums);
  }
  if (threadIdx.y == 0) {
    store_sums(y, columns, sums);
  }
}
