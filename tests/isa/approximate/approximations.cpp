// SPDX-License-Identifier: MIT
#include "approximations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace approximate {
namespace {

constexpr Format f32{"f32", 32, 23}, f64{"f64", 64, 52}, f16{"f16", 16, 10}, bf16{"bf16", 16, 7};
constexpr double everything = std::numeric_limits<double>::infinity();
constexpr double two_pi = 6.283185307179586;
constexpr double safe_divisor = 8.507059173023462e37;  // 2^126

std::uint64_t mixed(std::uint64_t z) {
  z = (z + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::uint64_t low_bits(unsigned count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }
std::uint64_t magnitude(const Format& f, std::uint64_t bits) { return bits & low_bits(f.bits - 1); }
std::uint64_t infinity(const Format& f) { return low_bits(f.bits - 1 - f.fraction_bits) << f.fraction_bits; }

/// Numbers in their order.
std::int64_t position(const Format& f, std::uint64_t bits) {
  const auto m = static_cast<std::int64_t>(magnitude(f, bits));
  return ((bits >> (f.bits - 1)) & 1) != 0 ? -m : m;
}

}  // namespace

const std::vector<Instruction>& instructions() {
  static const std::vector<Instruction> all = {
      {"rcp.approx.f32", f32, 1, everything, "sm_75"},       {"rcp.approx.ftz.f32", f32, 1, everything, "sm_75"},
      {"sqrt.approx.f32", f32, 1, everything, "sm_75"},      {"sqrt.approx.ftz.f32", f32, 1, everything, "sm_75"},
      {"rsqrt.approx.f32", f32, 1, everything, "sm_75"},     {"rsqrt.approx.ftz.f32", f32, 1, everything, "sm_75"},
      {"sin.approx.f32", f32, 1, two_pi, "sm_75"},           {"cos.approx.f32", f32, 1, two_pi, "sm_75"},
      {"lg2.approx.f32", f32, 1, everything, "sm_75"},       {"lg2.approx.ftz.f32", f32, 1, everything, "sm_75"},
      {"ex2.approx.f32", f32, 1, everything, "sm_75"},       {"ex2.approx.ftz.f32", f32, 1, everything, "sm_75"},
      {"tanh.approx.f32", f32, 1, everything, "sm_75"},      {"div.approx.f32", f32, 2, safe_divisor, "sm_75"},
      {"div.full.f32", f32, 2, everything, "sm_75"},         {"rcp.approx.ftz.f64", f64, 1, everything, "sm_75"},
      {"rsqrt.approx.ftz.f64", f64, 1, everything, "sm_75"}, {"rsqrt.approx.f64", f64, 1, everything, "sm_75"},
      {"ex2.approx.f16", f16, 1, everything, "sm_75"},       {"tanh.approx.f16", f16, 1, everything, "sm_75"},
      {"ex2.approx.ftz.bf16", bf16, 1, everything, "sm_90"}, {"tanh.approx.bf16", bf16, 1, everything, "sm_90"},
  };
  return all;
}

std::size_t operand_count(const Format& format) { return format.bits == 16 ? 1u << 16 : 1u << 20; }

std::uint64_t operand(const Instruction& instruction, unsigned which, std::size_t index) {
  const Format& f = instruction.format;
  if (f.bits == 16) return index;
  // Sign, exponent and a few bits of the fraction count up; the others are noise. The second operand is all noise.
  const unsigned shift = f.bits - 20;
  const std::uint64_t noise = mixed(index + (which == 0 ? 0 : 1ull << 40));
  if (which == 0) return (static_cast<std::uint64_t>(index) << shift) | (noise & low_bits(shift));
  return noise & low_bits(f.bits);
}

double number(const Format& f, std::uint64_t bits) {
  const unsigned exponent_bits = f.bits - 1 - f.fraction_bits;
  const auto exponent = static_cast<int>((bits >> f.fraction_bits) & low_bits(exponent_bits));
  const auto fraction = static_cast<double>(bits & low_bits(f.fraction_bits));
  const int bias = (1 << (exponent_bits - 1)) - 1, scale = 1 - bias - static_cast<int>(f.fraction_bits);
  const double one = std::ldexp(1.0, static_cast<int>(f.fraction_bits));
  const double value = exponent == 0 ? std::ldexp(fraction, scale) : std::ldexp(one + fraction, exponent - 1 + scale);
  const double unsigned_value = magnitude(f, bits) == infinity(f) ? everything : value;
  return ((bits >> (f.bits - 1)) & 1) != 0 ? -unsigned_value : unsigned_value;
}

bool is_nan(const Format& f, std::uint64_t bits) { return magnitude(f, bits) > infinity(f); }

Distance distance(const Format& f, std::uint64_t a, std::uint64_t b) {
  if (a == b || (is_nan(f, a) && is_nan(f, b))) return {};
  Distance result;
  const bool a_is_finite = magnitude(f, a) < infinity(f), b_is_finite = magnitude(f, b) < infinity(f);
  if (is_nan(f, a) != is_nan(f, b) || a_is_finite != b_is_finite) {
    result.unlike = true;
    return result;
  }
  const std::int64_t steps = position(f, a) - position(f, b);
  result.ulps = static_cast<std::uint64_t>(steps < 0 ? -steps : steps);
  result.absolute = std::fabs(number(f, a) - number(f, b));
  return result;
}

}  // namespace approximate
