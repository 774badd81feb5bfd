// refused: wrong-result: a row of A has as many terms as A has columns, whatever the rows of C are
// SPDX-License-Identifier: MIT
// shown by: --size 33x20x50 --block-size 32x8
// hint: terms-wrong
// The sum runs to k, and the number of rows is called k as well.
#include "answer/without_kernel.cuh"

__global__ void multiply_elements(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                  unsigned tiles_across) {
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x;
  if (i >= c.rows || j >= c.columns) {
    return;
  }
  float sum = 0.0f;
  for (std::size_t k = 0; k < c.rows; ++k) {
    sum += a.data[i * a.pitch + k] * b.data[k * b.pitch + j];
  }
  c.data[i * c.pitch + j] = sum;
}
