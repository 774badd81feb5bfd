// SPDX-License-Identifier: MIT
// The sum that a stage's result is measured against: on the CPU, in double precision with compensation, from the input
// alone. A float sum in a loop would be no reference: over 2^24 numbers its own error bound is as large as the sum.
#pragma once

#include <cstddef>

namespace workbook {

struct Reference {
  double sum = 0.0;  ///< correct to about 2^-52 * sum_of_magnitudes; NaN or infinite where IEEE 754 says so
  double sum_of_magnitudes = 0.0;  ///< sum of |x|: what rounding errors are measured by
  std::size_t size = 0;            ///< how many numbers were added
  /// Every number is an integer and sum_of_magnitudes is at most 2^24: no order of additions in float rounds at all.
  bool is_exact = true;
};

/// Neumaier's compensated summation (compensated_sum.h).
/// A NaN in the input gives NaN, one infinity gives it, both infinities give NaN.
Reference reference_sum(const float* values, std::size_t n);

}  // namespace workbook
