// refused: wrong-result: each matrix has a pitch of its own
// SPDX-License-Identifier: MIT
// shown by: --size 40x72x37 --block-size 32x8
// hint: outside-global
// Right for square matrices.
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
    sum += a.data[i * a.pitch + k] * b.data[k * a.pitch + j];
  }
  c.data[i * c.pitch + j] = sum;
}
