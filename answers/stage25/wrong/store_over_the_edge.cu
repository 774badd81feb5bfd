// refused: out-of-bounds: the last thread stores four sums, and y ends within them
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 512
// hint: outside-global
#define store_sums(...) store_sums(Wrong(), __VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ void store_sums(Wrong, float* y, const Columns<Vector>& columns, Vector value) {
  const auto* const numbers = reinterpret_cast<const float*>(&value);
  for (unsigned k = 0; k < Columns<Vector>::kWidth && columns.count > 0; ++k) {
    y[columns.first + k] = numbers[k];
  }
}
