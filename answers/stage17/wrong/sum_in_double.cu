// refused: not-the-step: the sum is a double, so each factor is converted
// SPDX-License-Identifier: MIT
// hint: step-instructions
#include "answer/without_kernel.cuh"

__global__ void multiply_elements(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                  unsigned tiles_across) {
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x;
  if (i >= c.rows || j >= c.columns) {
    return;
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < a.columns; ++k) {
    sum += static_cast<double>(a.data[i * a.pitch + k]) * static_cast<double>(b.data[k * b.pitch + j]);
  }
  c.data[i * c.pitch + j] = static_cast<float>(sum);
}
