// refused: wrong-result: the last vector of a row is stored whole, and its end does not belong to the row
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8 --padding 2 --output-padding 6
// hint: outside-the-rows
// All numbers of the matrix are right. What lies between the rows is not this matrix: another one, perhaps.
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
  if (j < input.columns) {
    __stcs(reinterpret_cast<Vector*>(to + j), load_once(reinterpret_cast<const Vector*>(from + j)));
  }
}
