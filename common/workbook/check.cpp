// SPDX-License-Identifier: MIT
// The comparison, and the sentence for each way in which a sum can be wrong.
#include "workbook/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace workbook {
namespace {

double relative_error(double error, double reference) {
  if (error == 0.0) return 0.0;
  return reference == 0.0 ? std::numeric_limits<double>::infinity() : error / std::fabs(reference);
}

std::string too_far(const Verdict& verdict, const Reference& reference) {
  std::ostringstream text;
  text.precision(9);
  if (verdict.bound == 0.0) {
    text << "the sum is off by " << verdict.error;
    text << (reference.size == 1 ? "; the sum of one number is that number"
                                 : "; these numbers are integers whose sum is exact in every order, so an element was "
                                   "lost or counted more than once");
  } else {
    text << "the sum is off by " << verdict.error << ", and rounding explains at most " << verdict.bound;
  }
  return text.str();
}

}  // namespace

int addition_depth(std::size_t n) {
  if (n <= 1) return 0;
  int levels = 0;
  while (levels < 64 && (std::size_t{1} << levels) < n) ++levels;
  const std::size_t serial = n - 1;
  return static_cast<int>(std::min<std::size_t>(serial, static_cast<std::size_t>(levels + kSerialAdditions)));
}

double error_bound(const Reference& reference) {
  constexpr double kUnitRoundoff = 0x1p-24;
  if (reference.is_exact) return 0.0;
  return 2.0 * addition_depth(reference.size) * kUnitRoundoff * reference.sum_of_magnitudes;
}

Verdict check_sum(float got, const Reference& reference) {
  Verdict verdict;
  verdict.bound = error_bound(reference);
  if (std::isnan(reference.sum)) {
    verdict.matches = std::isnan(got);
    verdict.bound = 0.0;
    if (!verdict.matches) {
      verdict.error = verdict.relative_error = std::numeric_limits<double>::quiet_NaN();
      verdict.reason = "the sum of this input is NaN, and the result is a number";
    }
    return verdict;
  }
  if (std::isinf(reference.sum)) {
    verdict.matches = static_cast<double>(got) == reference.sum;
    verdict.bound = 0.0;
    if (!verdict.matches) {
      verdict.error = verdict.relative_error = std::numeric_limits<double>::infinity();
      verdict.reason = "the sum of this input is infinite, and the result is not that infinity";
    }
    return verdict;
  }
  verdict.error = std::fabs(static_cast<double>(got) - reference.sum);
  verdict.relative_error = relative_error(verdict.error, reference.sum);
  verdict.matches = verdict.error <= verdict.bound;  // false for NaN
  if (verdict.matches) return verdict;
  if (std::isnan(got)) {
    verdict.reason =
        "the result is NaN (not a number), and the input holds none: memory that nobody wrote is filled with NaN here, "
        "so look for an element that is read before it is written";
  } else {
    verdict.reason = too_far(verdict, reference);
  }
  return verdict;
}

}  // namespace workbook
