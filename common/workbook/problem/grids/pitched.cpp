// SPDX-License-Identifier: MIT
#include "workbook/problem/grids/pitched.h"

#include <algorithm>
#include <cstring>

#include "workbook/judge/number_text.h"

namespace workbook {

std::vector<float> with_pitch(const std::vector<float>& numbers, std::size_t rows, std::size_t columns,
                              std::size_t pitch) {
  std::vector<float> pitched(rows * pitch);
  std::memset(pitched.data(), 0xFF, pitched.size() * sizeof(float));
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(numbers.data() + row * columns, columns, pitched.data() + row * pitch);
  }
  return pitched;
}

std::string text_of_float(std::uint32_t word) {
  float number = 0.0f;
  std::memcpy(&number, &word, sizeof number);
  return plain(static_cast<double>(number), 9);
}

}  // namespace workbook
