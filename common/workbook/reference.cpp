// SPDX-License-Identifier: MIT
// Neumaier's summation. Must be compiled without -ffast-math, which would cancel the compensation away.
#include "workbook/reference.h"

#include <cmath>

#ifdef __FAST_MATH__
#error "the compensated sum needs IEEE 754 arithmetic: compile without -ffast-math"
#endif

namespace workbook {

Reference reference_sum(const float* values, std::size_t n) {
  constexpr double kExactLimit = 0x1p24;  // up to here a float holds every integer
  double sum = 0.0;
  double compensation = 0.0;
  double magnitudes = 0.0;
  bool integers = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    const double next = sum + x;
    // What the addition lost, computed from the larger of the two without another rounding.
    compensation += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
    magnitudes += std::fabs(x);
    integers = integers && x == std::trunc(x);
  }
  Reference reference;
  // With an infinity the compensation is NaN (infinity minus infinity); the plain sum follows IEEE 754.
  reference.sum = std::isfinite(sum) ? sum + compensation : sum;
  reference.sum_of_magnitudes = magnitudes;
  reference.size = n;
  reference.is_exact = integers && magnitudes <= kExactLimit;  // false for a NaN and for an infinity
  return reference;
}

}  // namespace workbook
