// SPDX-License-Identifier: MIT
// Neumaier's compensated summation, in double. (A. Neumaier, Zeitschrift für Angewandte Mathematik und Mechanik 54,
// 1974; N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.3.)
#pragma once

#include <cmath>

#ifdef __FAST_MATH__
#error "a compensated sum needs IEEE 754 arithmetic: compile without -ffast-math"
#endif

namespace workbook {

/// A compensated sum (Neumaier).
class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    // The rounding error of the addition. The larger of the two gives it without another rounding.
    compensation_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  /// Correct to about 2^-52 * the sum of |x|. A NaN among the numbers gives NaN. One infinity gives itself; both give
  /// NaN.
  double value() const {
    // With an infinity, the compensation is NaN (infinity minus infinity). The plain sum follows IEEE 754.
    return std::isfinite(sum_) ? sum_ + compensation_ : sum_;
  }

 private:
  double sum_ = 0.0;
  double compensation_ = 0.0;
};

}  // namespace workbook
