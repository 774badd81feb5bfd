// refused: wrong-result: the last block adds up all parts but the last
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: column-sum-wrong
#define combine_parts(...) right_combine_parts(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ bool combine_parts(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
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
