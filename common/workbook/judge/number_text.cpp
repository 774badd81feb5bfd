// SPDX-License-Identifier: MIT
// Numbers as decimal text.
#include "workbook/judge/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace workbook {

std::string plain(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0.0 ? "-infinity" : "infinity";
  if (value == 0.0) return "0";
  char text[64];
  const auto as_text = [&](std::chars_format format, int precision) {
    return std::string(text, std::to_chars(text, text + sizeof text, value, format, precision).ptr);
  };
  // The exponent after rounding: 9.9996 gets one more digit before the point when 4 digits are asked for.
  const std::string scientific = as_text(std::chars_format::scientific, digits - 1);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -9 || exponent > 16) return as_text(std::chars_format::general, digits);
  std::string shown = as_text(std::chars_format::fixed, std::max(0, digits - 1 - exponent));
  if (shown.find('.') != std::string::npos) {
    shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.back() == '.') shown.pop_back();
  }
  return shown;
}

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string ordinal(std::size_t number) {
  const bool is_teen = number % 100 / 10 == 1;
  constexpr const char* kEndings[] = {"th", "st", "nd", "rd"};
  return std::to_string(number) + kEndings[is_teen || number % 10 > 3 ? 0 : number % 10];
}

std::string expected_and_got(double expected, double got, int digits, double bound) {
  const double difference = got - expected;
  const double relative = std::fabs(difference / expected);
  int shown = digits;
  if (std::isfinite(relative) && relative > 0.0) {
    const int telling = static_cast<int>(std::ceil(-std::log10(relative))) + 3;
    shown = std::clamp(telling, std::min(digits, 7), std::min(digits + 3, 17));
  }
  std::string text = "expected " + plain(expected, shown) + ", got " + plain(got, shown);
  if (!std::isfinite(difference)) return text;
  text += " (difference " + plain(difference, 7);
  if (relative < 1e-3) {
    return text + ")" +
           (bound == 0.0 ? ", and must match to the bit" : "; rounding explains at most " + plain(bound, 3));
  }
  const double ratio = got / expected;
  return text + (std::isfinite(ratio) && ratio > 0.0 ? ", ratio " + plain(ratio, 4) : "") + ")";
}

}  // namespace workbook
