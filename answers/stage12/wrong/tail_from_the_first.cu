// refused: not-the-step: the thread at the end of a row copies the row from its first number on
// SPDX-License-Identifier: MIT
// hint: step-row-end
// The numbers are right, and stored many times over. Where the columns are a multiple of 4, no thread does so.
#include "answer/without_kernel.cuh"

template <typename Vector>
__global__ void copy_vectors(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_across) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = (std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x) * kWidth;
  if (i >= input.rows) {
    return;
  }
  const float* from = input.data + i * input.pitch;
  float* to = output.data + i * output.pitch;
  if (j + kWidth <= input.columns) {
    __stcs(reinterpret_cast<Vector*>(to + j), load_once(reinterpret_cast<const Vector*>(from + j)));
  } else {
    for (std::size_t last = 0; last < input.columns; ++last) {
      to[last] = from[last];
    }
  }
}
