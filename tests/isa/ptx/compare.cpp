// SPDX-License-Identifier: MIT
// Comparing what a device computed with the bits of a PTX case: to the bit, or within the case's tolerance.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "case_file.h"

namespace ptx_case {
namespace {

/// A floating-point format by its fields, so that 16-bit numbers need no type of their own.
struct Format {
  unsigned width, fraction_bits;
};

Format format_of(Tolerance::Type type) {
  switch (type) {
    case Tolerance::Type::f16:
      return {16, 10};
    case Tolerance::Type::bf16:
      return {16, 7};
    case Tolerance::Type::f64:
      return {64, 52};
    case Tolerance::Type::f32:
    case Tolerance::Type::none:
      break;
  }
  return {32, 23};
}

std::uint64_t low_bits(unsigned count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

/// Numbers in order: the distance of two of them is the number of representable numbers between them.
std::int64_t position(Format f, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & low_bits(f.width - 1);
  const bool negative = ((bits >> (f.width - 1)) & 1) != 0;
  return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

double number(Format f, std::uint64_t bits) {
  const unsigned exponent_bits = f.width - 1 - f.fraction_bits;
  const auto exponent = static_cast<int>((bits >> f.fraction_bits) & low_bits(exponent_bits));
  const auto fraction = static_cast<double>(bits & low_bits(f.fraction_bits));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double one = std::ldexp(1.0, static_cast<int>(f.fraction_bits));
  const double value = exponent == 0 ? std::ldexp(fraction, 1 - bias - static_cast<int>(f.fraction_bits))
                                     : std::ldexp(one + fraction, exponent - bias - static_cast<int>(f.fraction_bits));
  return ((bits >> (f.width - 1)) & 1) != 0 ? -value : value;
}

bool number_is_near(const Tolerance& t, std::uint64_t expected, std::uint64_t got) {
  if (expected == got) return true;
  const Format f = format_of(t.type);
  const std::uint64_t infinity = low_bits(f.width - 1 - f.fraction_bits) << f.fraction_bits;
  const std::uint64_t a = expected & low_bits(f.width - 1), b = got & low_bits(f.width - 1);
  if (a > infinity || b > infinity) return a > infinity && b > infinity;  // NaN only for NaN
  const std::int64_t distance = position(f, expected) - position(f, got);
  if (static_cast<std::uint64_t>(distance < 0 ? -distance : distance) <= t.ulps) return true;
  if (a == infinity || b == infinity) return false;
  return std::fabs(number(f, expected) - number(f, got)) <= t.absolute;
}

bool is_near(const Tolerance& t, std::uint64_t expected, std::uint64_t got) {
  if (expected == got) return true;
  if (t.type == Tolerance::Type::none) return false;
  if (t.is_packed) {
    return number_is_near(t, expected & 0xffff, got & 0xffff) &&
           number_is_near(t, (expected >> 16) & 0xffff, (got >> 16) & 0xffff);
  }
  return number_is_near(t, expected, got);
}

std::string hexadecimal(const Value& value) {
  char text[20];
  std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(2 * value.size_bytes),
                static_cast<unsigned long long>(value.bits));
  return text;
}

/// What a line's value must be when only the lanes in `mask` took part.
Value masked(const Line& line, std::size_t index, std::uint32_t mask) {
  Value value = line.values[index];
  if (mask == ~0u) return value;
  if (line.values.size() <= 2) {
    value.bits &= mask;
  } else if (((mask >> index) & 1) == 0) {
    value.bits = value.size_bytes == 8 ? 0xcdcdcdcdcdcdcdcdull : 0xcdcdcdcdull;
  }
  return value;
}

}  // namespace

std::vector<std::string> differences(const Case& test, const std::vector<unsigned char>& got, std::uint32_t mask,
                                     std::size_t limit) {
  std::vector<std::string> result;
  std::size_t count = 0;
  for (const auto& line : test.out) {
    std::size_t offset = line.offset_bytes;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const Value expected = masked(line, i, mask);
      Value actual;
      actual.size_bytes = expected.size_bytes;
      std::memcpy(&actual.bits, got.data() + offset, expected.size_bytes);
      const bool is_same = expected.is_known && is_near(test.tolerance, expected.bits, actual.bits);
      if (!is_same && ++count <= limit) {
        result.push_back(test.path + ":" + std::to_string(line.text_line + 1) + ": " + line.label + ": value " +
                         std::to_string(i) + " (word " + std::to_string(offset / 4) + "): expected " +
                         (expected.is_known ? hexadecimal(expected) : "nothing recorded yet") + ", got " +
                         hexadecimal(actual) + (mask == ~0u ? "" : " (with some lanes switched off)"));
      }
      offset += expected.size_bytes;
    }
  }
  if (count > limit) result.push_back(test.path + ": " + std::to_string(count - limit) + " more values differ");
  return result;
}

}  // namespace ptx_case
