// refused: wrong-result: numbers cut to ten bits behind the point, as tensor cores do with tf32
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --factors integers --block-size 32x8
// hint: wrong-elements
// Within the error bound for numbers between 0 and 1, if the sums are long. Whole numbers of 12 bits show it.
#include "answer/without_kernel.cuh"

__global__ void multiply_elements(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                  unsigned tiles_across) {
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x;
  if (i >= c.rows || j >= c.columns) {
    return;
  }
  float sum = 0.0f;
  for (std::size_t k = 0; k < a.columns; ++k) {
    const float factor = a.data[i * a.pitch + k];
    sum += __uint_as_float(__float_as_uint(factor) & 0xFFFFE000u) * b.data[k * b.pitch + j];
  }
  c.data[i * c.pitch + j] = sum;
}
