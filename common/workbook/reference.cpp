// SPDX-License-Identifier: MIT
// One pass over the numbers.
#include "workbook/reference.h"

#include <cmath>

#include "workbook/compensated_sum.h"

namespace workbook {

Reference reference_sum(const float* values, std::size_t n) {
  constexpr double kExactLimit = 0x1p24;  // up to here a float holds every integer
  CompensatedSum sum;
  double magnitudes = 0.0;
  bool integers = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    sum.add(x);
    magnitudes += std::fabs(x);
    integers = integers && x == std::trunc(x);
  }
  Reference reference;
  reference.sum = sum.value();
  reference.sum_of_magnitudes = magnitudes;
  reference.size = n;
  reference.is_exact = integers && magnitudes <= kExactLimit;  // false for a NaN and for an infinity
  return reference;
}

}  // namespace workbook
