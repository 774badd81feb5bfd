// refused: wrong-result: each matrix has a pitch of its own
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8 --padding 2 --output-padding 6
// hint: other-rows
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
  float* to = output.data + i * input.pitch;
  if (j + kWidth <= input.columns) {
    __stcs(reinterpret_cast<Vector*>(to + j), load_once(reinterpret_cast<const Vector*>(from + j)));
  } else {
    for (std::size_t last = j; last < input.columns; ++last) {
      to[last] = from[last];
    }
  }
}
