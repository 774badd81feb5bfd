// SPDX-License-Identifier: MIT
// Number text: numbers as decimal text for people.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

namespace workbook {

/// At most `digits` significant digits, without zeros at the end. It has an exponent only where plain digits are not
/// enough. Examples: "8390169.75", "0.0003", "-2".
std::string plain(double value, int digits);

/// The fewest digits that give the same bits when read again (shortest round trip): "0.1".
std::string shortest(double value);

/// "1st", "2nd", "11th".
std::string ordinal(std::size_t number);

/// Example: "expected 13, got 9 (difference -4, ratio 0.6923)". It has as many digits as tell the two apart, between
/// `digits` and three more. It gives the ratio only where both have one sign and are not nearly equal. Where they are
/// nearly equal, it gives `bound`, the allowed rounding error; 0 gives nothing.
std::string expected_and_got(double expected, double got, int digits, double bound);

/// Whether a result that should have the accuracy of a double has only that of a float.
inline bool is_as_good_as_a_float(double expected, double got) {
  const double error = std::fabs(got - expected) / std::fabs(expected);
  return error > 1e-10 && error < 1e-6;
}
constexpr const char* kIsItInFloat =
    "The result has about as many right digits as a float has, 7: is something computed in float?";
constexpr const char* kIsItInInteger =
    "The result is a whole number, which it should not be: is something computed, or kept, in an integer?";

}  // namespace workbook
