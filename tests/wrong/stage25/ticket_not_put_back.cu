// refused: wrong-result: the tickets stay at the number of parts, so that the next product finds no last block
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: ticket-left
#include "../stage25_but_kernel.cuh"

// As combine_parts() of the answer, but for one thing.
template <typename Vector>
__device__ bool combine_wrongly(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                                const workbook::GemvWorkspace& workspace) {
  auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first / columns.kWidth;
  if (threadIdx.y == 0 && columns.count > 0) {
    partial_sums[blockIdx.y * all_vectors] = sums;
  }
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(workspace.tickets[blockIdx.x]);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.y;
  }
  __syncthreads();
  if (!last) {
    return false;
  }
  sums = Vector{};
  for (unsigned part = threadIdx.y; part < gridDim.y && columns.count > 0; part += blockDim.y) {
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
