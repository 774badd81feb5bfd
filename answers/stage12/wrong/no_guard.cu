// refused: out-of-bounds: the last blocks reach below the last row
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: outside-global
#include "answer/without_kernel.cuh"

template <typename Vector>
__global__ void copy_vectors(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_across) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = (std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x) * kWidth;
  const float* from = input.data + i * input.pitch;
  float* to = output.data + i * output.pitch;
  if (j + kWidth <= input.columns) {
    __stcs(reinterpret_cast<Vector*>(to + j), load_once(reinterpret_cast<const Vector*>(from + j)));
  } else {
    for (std::size_t last = j; last < input.columns; ++last) {
      to[last] = from[last];
    }
  }
}
