// SPDX-License-Identifier: MIT
// The host plays a kernel that multiplies matrices, on a device's memory.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "workbook/student/cuda_check.h"
#include "workbook/student/matrix.h"

namespace workbook {

struct OnHost {
  explicit OnHost(const ConstMatrix& matrix) : matrix(matrix), values(matrix.rows * matrix.pitch) {
    if (values.empty()) return;
    CUDA_CHECK(cudaMemcpy(values.data(), matrix.data, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  }
  float at(std::size_t i, std::size_t j) const { return values[i * matrix.pitch + j]; }

  ConstMatrix matrix;
  std::vector<float> values;
};

using Element = std::function<float(const OnHost& a, const OnHost& b, std::size_t i, std::size_t j)>;

inline void write(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c, const Element& element) {
  const OnHost host_a(a), host_b(b);
  for (std::size_t i = 0; i < c.rows; ++i) {
    std::vector<float> row(c.columns);
    for (std::size_t j = 0; j < c.columns; ++j) row[j] = element(host_a, host_b, i, j);
    if (row.empty()) continue;
    CUDA_CHECK(cudaMemcpy(c.data + i * c.pitch, row.data(), row.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
}

inline float dot(const OnHost& a, const OnHost& b, std::size_t i, std::size_t j, std::size_t terms) {
  float sum = 0.0f;
  for (std::size_t k = 0; k < terms; ++k) sum += a.at(i, k) * b.at(k, j);
  return sum;
}

}  // namespace workbook
