// refused: race: the first column is counted in numbers, and a row of the partial sums in vectors
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=race --size 2300x64 --block-size 128
// hint: blocks-store-one-element
// The second part of a row lies where the first part of the next one does.
#define combine_parts(...) right_combine_parts(__VA_ARGS__)
#include "../stage25_answer.cuh"

template <typename Vector>
__device__ bool combine_parts(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                              const workbook::GemvWorkspace& workspace) {
  auto* const partial_sums = reinterpret_cast<Vector*>(workspace.partial_sums) + columns.first;
  if (threadIdx.y == 0 && columns.count > 0) {
    partial_sums[blockIdx.y * all_vectors] = sums;
  }
  if (!is_last(workspace.tickets + blockIdx.x)) {
    return false;
  }
  sums = Vector{};
  for (unsigned part = threadIdx.y; part < gridDim.y && columns.count > 0; part += blockDim.y) {
    add_product(sums, partial_sums[part * all_vectors], 1.0f);
  }
  sums = sums_of_block(sums);
  return true;
}
