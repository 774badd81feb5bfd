// refused: race: a thread adds what another warp has not stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 512
// hint: race-in-block
#include "../stage25_but_kernel.cuh"

// As sums_of_block() of the answer, without its barriers.
template <typename Vector>
__device__ Vector sums_without_barriers(Vector sums) {
  __shared__ Vector shared_sums[kMostThreads];
  Vector* const mine = shared_sums + threadIdx.y * blockDim.x + threadIdx.x;
  *mine = sums;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    if (threadIdx.y < half) {
      add_product(sums, mine[half * blockDim.x], 1.0f);
      *mine = sums;
    }
  }
  return sums;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, std::size_t rows_a_part,
                     workbook::GemvWorkspace workspace) {
  const Columns<Vector> columns(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, a.columns);
  const std::size_t begin = blockIdx.y * rows_a_part, end = min(begin + rows_a_part, a.rows);
  Vector sums = sums_without_barriers(sums_of_thread<Vector>(a, x, columns, begin, end));
  const std::size_t all_vectors = divide_up(a.columns, Columns<Vector>::kWidth);
  if (gridDim.y > 1 && !combine_parts<Vector>(sums, columns, all_vectors, workspace)) {
    return;
  }
  if (threadIdx.y == 0) {
    store_sums(y, columns, sums);
  }
}
