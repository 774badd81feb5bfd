// SPDX-License-Identifier: MIT
// Compensated summation in double: what each addition loses is known exactly, and summed beside it. (N. Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.3; the loss by Knuth's two-sum, The Art of
// Computer Programming 2, 4.2.2, theorem B: six operations, and no question which number is larger.)
#pragma once

#include <cmath>

#ifdef __FAST_MATH__
#error "a compensated sum needs IEEE 754 arithmetic: compile without -ffast-math"
#endif

namespace workbook {

class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    const double added = next - sum_;
    compensation_ += (sum_ - (next - added)) + (x - added);
    sum_ = next;
  }
  /// Correct to about 2^-52 * the sum of |x|. A NaN among the numbers gives NaN, one infinity gives it, both give NaN.
  double value() const {
    // With an infinity the compensation is NaN (infinity minus infinity); the plain sum follows IEEE 754.
    return std::isfinite(sum_) ? sum_ + compensation_ : sum_;
  }

 private:
  double sum_ = 0.0;
  double compensation_ = 0.0;
};

}  // namespace workbook
