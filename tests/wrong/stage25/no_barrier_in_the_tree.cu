// refused: race: a thread adds what another warp has not stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 256
#include "../stage25_but_kernel.cuh"

// As sums_of_block() of the answer, without its barriers.
template <typename Vector>
__device__ Vector sums_without_barriers(Vector sums, unsigned lanes) {
  __shared__ Vector shared_sums[kMostThreads];
  shared_sums[threadIdx.x] = sums;
  for (unsigned half = blockDim.x / 2; half >= lanes; half /= 2) {
    if (threadIdx.x < half) {
      add_product(sums, shared_sums[threadIdx.x + half], 1.0f);
      shared_sums[threadIdx.x] = sums;
    }
  }
  return sums;
}

template <typename Vector>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    multiply_columns(workbook::ConstMatrix a, const float* x, float* y, Cut cut, workbook::GemvWorkspace workspace) {
  const unsigned tile = blockIdx.x % cut.tiles, part = blockIdx.x / cut.tiles;
  const Columns<Vector> columns(std::size_t{tile} * cut.lanes + threadIdx.x % cut.lanes, a.columns);
  const std::size_t begin = part * cut.rows_a_part, end = min(begin + cut.rows_a_part, a.rows);
  Vector sums = sums_without_barriers(sums_of_thread<Vector>(a, x, columns, begin, end, cut.lanes), cut.lanes);
  if (cut.parts > 1 && !combine_parts<Vector>(sums, columns, tile, part, cut, workspace)) {
    return;
  }
  if (threadIdx.x < cut.lanes) {
    store_sums(y, columns, sums);
  }
}
