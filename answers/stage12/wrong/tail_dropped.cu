// refused: wrong-result: the numbers behind the last whole vector of a row are not copied
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8 --padding 2 --output-padding 6
// hint: output-not-written
// Where the columns are a multiple of 4, there are none.
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
  }
}
