// refused: race: the first column is counted in numbers, and a row of the partial sums in vectors
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=race --size 2300x64 --block-size 128
// hint: blocks-store-one-element
// The second part of a row lies where the first part of the next one does.
#define combine_parts(...) right_combine_parts(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ bool combine_parts(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                              const workbook::GemvWorkspace& workspace) {
  Columns<Vector> in_numbers = columns;
  in_numbers.first *= columns.kWidth;  // by which the answer divides it
  return right_combine_parts(sums, in_numbers, all_vectors, workspace);
}
