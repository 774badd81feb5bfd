// SPDX-License-Identifier: MIT
// Numbers as people read them.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

namespace workbook {

/// `digits` significant digits at most, with no zeros at the end, and no exponent where plain digits do: "8390169.75",
/// "0.0003", "-2".
std::string plain(double value, int digits);

/// As few digits as come back as the same bits: "0.1".
std::string shortest(double value);

/// "1st", "2nd", "11th".
std::string ordinal(std::size_t number);

/// "expected 13, got 9 (difference -4, ratio 0.6923)": with as many digits as tell the two apart, `digits` of them or
/// three more at most. The ratio only where both have one sign and are not nearly the same. Where they are, what
/// rounding may come to: `bound`, 0 for nothing.
std::string expected_and_got(double expected, double got, int digits, double bound);

/// Whether a result that should be a double's is as near as a float's would be.
inline bool is_as_good_as_a_float(double expected, double got) {
  const double error = std::fabs(got - expected) / std::fabs(expected);
  return error > 1e-10 && error < 1e-6;
}
constexpr const char* kIsItInFloat =
    "The result has about as many right digits as a float has, 7: is something computed in float?";
constexpr const char* kIsItInInteger =
    "The result is a whole number, which it should not be: is something computed, or kept, in an integer?";

}  // namespace workbook
