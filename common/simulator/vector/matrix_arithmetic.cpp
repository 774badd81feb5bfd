// SPDX-License-Identifier: MIT
// Compiled once for each vector level, as lane_kernels.cpp, which says why: no standard library here.
//
// One element of f16, bf16 and tf32 products is one sum of C and all products, the way sm_90 makes it:
//
// 1. Products are exact.
// 2. All terms are aligned to the largest exponent among them, and cut toward zero 25 places behind the point.
// 3. What is left is added exactly and rounded once: toward zero to f32, to the nearest to f16.
//
// The exponent of an operand is the one in its bits, and that of a product is the sum of two. Nothing is normalised
// before it is aligned. The rules come from a comparison with an H200, tile by tile (tests/isa/tensor).
#include "vector/matrix_arithmetic.h"

#include "vector/lane_kernels.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

void multiply_matrices(const MatrixProduct& product);

namespace {

using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;

constexpr unsigned kWidth = 8;  // columns at a time
// The compiler's own vectors (g++ and clang). It unrolls loops over so few columns before it vectorises them.
using Ints = int32_t __attribute__((vector_size(kWidth * sizeof(int32_t))));
using HalfOfInts = int32_t __attribute__((vector_size(kWidth / 2 * sizeof(int32_t))));
using Longs = int64_t __attribute__((vector_size(kWidth / 2 * sizeof(int64_t))));
using Doubles = double __attribute__((vector_size(kWidth / 2 * sizeof(double))));

template <typename Vector>
inline Vector load(const void* from) {
  Vector numbers;
  __builtin_memcpy(&numbers, from, sizeof numbers);
  return numbers;
}

inline Ints larger(Ints one, Ints other) { return one > other ? one : other; }
inline Ints with_sign(Ints magnitude, Ints sign) { return (magnitude ^ sign) - sign; }  // sign: -1 or 0

constexpr unsigned kMostRows = 32, kMostDepth = 32;
constexpr int kFractionBits = 25;
constexpr int kNoExponent = -100000;  // of a zero
constexpr int kLeastExponent = -133;  // to which terms are aligned, however small all of them are

/// How the bits of a floating-point number are read.
struct Format {
  int exponent_bits, mantissa_bits, unused_bits;
};
constexpr Format format_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::f16:
      return {5, 10, 0};
    case MatrixElement::bf16:
      return {8, 7, 0};
    case MatrixElement::tf32:
      return {8, 10, 13};  // the bits behind the tenth bit of the fraction are ignored
    default:
      return {8, 23, 0};
  }
}

/// Numbers as significand * 2^(exponent - 10); C has 2^(exponent - 23).
struct Parts {
  int32_t significand[kMostRows * kMostDepth];
  int32_t exponent[kMostRows * kMostDepth];
  bool has_special = false;  // an infinity or NaN
};

template <MatrixElement element, int places>
void take_apart(const void* from, unsigned count, Parts& parts) {
  const auto* bits = static_cast<const uint32_t*>(from);
  constexpr Format f = format_of(element);
  constexpr int kMost = (1 << f.exponent_bits) - 1, kBias = kMost / 2;
  Ints special{};
  for (unsigned i = 0; i < count; i += kWidth) {
    const Ints x = load<Ints>(bits + i) >> f.unused_bits;
    const Ints exponent = x >> f.mantissa_bits & kMost, fraction = x & ((1 << f.mantissa_bits) - 1);
    const Ints magnitude = (fraction | ((exponent != 0) & 1 << f.mantissa_bits)) << (places - f.mantissa_bits);
    const Ints significand = with_sign(magnitude, -(x >> (f.mantissa_bits + f.exponent_bits) & 1));
    const Ints written = magnitude == 0 ? Ints{} + kNoExponent : larger(exponent, Ints{} + 1) - kBias;
    special |= exponent == kMost;
    __builtin_memcpy(parts.significand + i, &significand, sizeof significand);
    __builtin_memcpy(parts.exponent + i, &written, sizeof written);
  }
  for (unsigned j = 0; j < kWidth; ++j) parts.has_special |= special[j] != 0;
}

template <int places>
void take_apart(MatrixElement element, const void* from, unsigned count, Parts& parts) {
  if (element == MatrixElement::f16) take_apart<MatrixElement::f16, places>(from, count, parts);
  if (element == MatrixElement::bf16) take_apart<MatrixElement::bf16, places>(from, count, parts);
  if (element == MatrixElement::tf32) take_apart<MatrixElement::tf32, places>(from, count, parts);
  if constexpr (places >= 23) {
    if (element == MatrixElement::f32) take_apart<MatrixElement::f32, places>(from, count, parts);
  }
}

/// The magnitude of term * 2^-distance, cut off.
inline Ints aligned(Ints term, Ints distance) {
  const Ints sign = term >> 31;
  return with_sign((with_sign(term, sign) >> (distance & 31)) & (distance < 32), sign);
}

/// sum * 2^(exponent - 25), toward zero. A result too small for a subnormal number is zero without a sign.
uint32_t to_f32(int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const uint32_t sign = sum < 0 ? 0x80000000u : 0;
  uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int highest = 63 - __builtin_clzll(magnitude);
  int biased = exponent - kFractionBits + highest + 127;
  if (biased >= 255) return sign | 0x7f800000u;
  int drop = highest - 23;  // places that are cut off
  if (biased < 1) {
    drop += 1 - biased;
    biased = 0;
  }
  if (drop > 63) return 0;
  magnitude = drop >= 0 ? magnitude >> drop : magnitude << -drop;
  if (magnitude == 0) return 0;
  return sign | (static_cast<uint32_t>(biased) << 23 | (static_cast<uint32_t>(magnitude) & 0x7fffffu));
}

/// The same for a row of sums, low + high. A double holds each of them. Bits beyond those of a normal 32-bit number are
/// cut off.
void to_f32(Ints low, Ints high, Ints exponent, uint32_t* to) {
  for (unsigned half = 0; half < kWidth; half += kWidth / 2) {
    const auto converted = [half](auto as, const Ints& numbers) {
      return __builtin_convertvector(load<HalfOfInts>(reinterpret_cast<const int32_t*>(&numbers) + half), decltype(as));
    };
    const Longs scale = (converted(Longs{}, exponent) + (1023 - kFractionBits)) << 52;
    const Doubles sum = (converted(Doubles{}, low) + converted(Doubles{}, high)) * load<Doubles>(&scale);
    const Longs bits = load<Longs>(&sum);
    const Longs magnitude = ((bits & 0x7fffffffffffffff) >> 29) - (int64_t{1023 - 127} << 23);
    const Longs is_zero = bits == 0, is_normal = (magnitude >= 1 << 23) & (magnitude < 0x7f800000);
    const Longs number = (magnitude | ((bits >> 32) & 0x80000000)) & ~is_zero, is_told = is_zero | is_normal;
    for (unsigned j = 0; j < kWidth / 2; ++j) {
      const unsigned at = half + j;
      to[at] = is_told[j] != 0 ? static_cast<uint32_t>(number[j]) : to_f32(int64_t{low[at]} + high[at], exponent[at]);
    }
  }
}

/// One sum to f16, to the nearest, ties to even.
uint32_t to_f16(int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const uint32_t sign = sum < 0 ? 0x8000u : 0;
  const uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int highest = 63 - __builtin_clzll(magnitude);
  int biased = exponent - kFractionBits + highest + 15;
  if (biased >= 31) return sign | 0x7c00u;
  int drop = highest - 10;
  if (biased < 1) {
    drop += 1 - biased;
    biased = 0;
  }
  uint64_t kept = 0;
  if (drop <= 0) {
    kept = magnitude << -drop;
  } else if (drop < 63) {
    const uint64_t rest = magnitude & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
    kept = magnitude >> drop;
    kept += rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  }
  if (kept == 0) return 0;
  // A carry out of the fraction is one more in the exponent, up to infinity.
  const uint64_t fraction = biased != 0 ? kept - 0x400 : kept;
  return sign | static_cast<uint32_t>((static_cast<uint64_t>(biased) << 10) + fraction);
}

enum class Class : unsigned char { finite, infinity, nan };
struct Special {
  Class what;
  bool negative;
};
Special special_of(uint32_t bits, Format f) {
  const uint32_t x = bits >> f.unused_bits, most = (1u << f.exponent_bits) - 1;
  const bool negative = (x >> (f.mantissa_bits + f.exponent_bits) & 1) != 0;
  if ((x >> f.mantissa_bits & most) != most) return {Class::finite, negative};
  return {(x & ((1u << f.mantissa_bits) - 1)) != 0 ? Class::nan : Class::infinity, negative};
}

/// Whether infinities and NaNs decide one element, and what they make of it.
Special decided(const MatrixProduct& p, const Parts& a, const Parts& b, unsigned row, unsigned column) {
  Special sum = special_of(static_cast<const uint32_t*>(p.c)[row * p.columns + column], format_of(p.c_element));
  const auto add = [&](Special term) {
    if (term.what == Class::finite || sum.what == Class::nan) return;
    const bool opposite = sum.what == Class::infinity && term.what == Class::infinity && sum.negative != term.negative;
    sum = opposite ? Special{Class::nan, false} : term;
  };
  for (unsigned k = 0; k < p.depth; ++k) {
    const Special x = special_of(static_cast<const uint32_t*>(p.a)[row * p.depth + k], format_of(p.a_element));
    const Special y = special_of(static_cast<const uint32_t*>(p.b)[k * p.columns + column], format_of(p.b_element));
    if (x.what == Class::finite && y.what == Class::finite) continue;
    const bool is_nan = x.what == Class::nan || y.what == Class::nan || a.significand[row * p.depth + k] == 0 ||
                        b.significand[k * p.columns + column] == 0;
    add({is_nan ? Class::nan : Class::infinity, x.negative != y.negative});
  }
  return sum;
}

/// Numbers of a narrower format, as f32 has them.
void normalise(Parts& parts, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    while (parts.significand[i] != 0 && parts.significand[i] < 1 << 23 && parts.significand[i] > -(1 << 23)) {
      parts.significand[i] *= 2;
      --parts.exponent[i];
    }
  }
}

/// To the nearest f16.
uint32_t narrowed(uint32_t bits) {
  const uint32_t sign = bits >> 16 & 0x8000u, exponent = bits >> 23 & 0xffu, fraction = bits & 0x7fffffu;
  if (exponent == 0xff) return fraction != 0 ? 0x7fffu : sign | 0x7c00u;
  if (exponent == 0) return sign;
  return sign | to_f16(int64_t{fraction | 0x800000u} << (kFractionBits - 23), static_cast<int>(exponent) - 127);
}

void multiply_floats(const MatrixProduct& p) {
  Parts a, b, c;
  take_apart<10>(p.a_element, p.a, p.rows * p.depth, a);
  take_apart<10>(p.b_element, p.b, p.depth * p.columns, b);
  take_apart<23>(p.c_element, p.c, p.rows * p.columns, c);
  // Sums of f32 have 24 bits, also those that end as f16.
  const bool to_half = p.c_element == MatrixElement::f16 && p.d_element == MatrixElement::f16;
  if (p.c_element == MatrixElement::f16 && !to_half) normalise(c, p.rows * p.columns);
  const bool has_special = a.has_special || b.has_special || c.has_special;
  auto* d = static_cast<uint32_t*>(p.d);
  for (unsigned row = 0; row < p.rows; ++row) {
    for (unsigned column = 0; column < p.columns; column += kWidth) {
      const unsigned at = row * p.columns + column;
      const Ints exponent_of_c = load<Ints>(c.exponent + at);
      Ints largest = larger(exponent_of_c, Ints{} + kLeastExponent);
      for (unsigned k = 0; k < p.depth; ++k)
        largest = larger(largest, a.exponent[row * p.depth + k] + load<Ints>(b.exponent + k * p.columns + column));
      const auto term = [&](unsigned k) {
        const int32_t significand = a.significand[row * p.depth + k] * (1 << (kFractionBits - 20));
        const Ints exponent = a.exponent[row * p.depth + k] + load<Ints>(b.exponent + k * p.columns + column);
        return aligned(significand * load<Ints>(b.significand + k * p.columns + column), largest - exponent);
      };
      // 2^27 a product and 2^26 for C: eight of them fit in 32 bits, sixteen do not.
      Ints low = aligned(load<Ints>(c.significand + at) * (1 << (kFractionBits - 23)), largest - exponent_of_c), high{};
      for (unsigned k = 0; k < p.depth && k < 8; ++k) low += term(k);
      for (unsigned k = 8; k < p.depth; ++k) high += term(k);
      if (!to_half) to_f32(low, high, largest, d + at);
      for (unsigned j = 0; j < kWidth && to_half; ++j) d[at + j] = to_f16(int64_t{low[j]} + high[j], largest[j]);
    }
    for (unsigned column = 0; column < p.columns && has_special; ++column) {
      const Special sum = decided(p, a, b, row, column);
      if (sum.what == Class::finite) continue;
      const uint32_t nan = to_half ? 0x7fffu : 0x7fffffffu, infinity = to_half ? 0x7c00u : 0x7f800000u;
      const uint32_t sign = sum.negative ? (to_half ? 0x8000u : 0x80000000u) : 0;
      d[row * p.columns + column] = sum.what == Class::nan ? nan : infinity | sign;
    }
  }
  if (to_half || p.d_element != MatrixElement::f16) return;
  for (unsigned i = 0; i < p.rows * p.columns; ++i) d[i] = narrowed(d[i]);
}

/// NaNs keep their payload: B's goes before the sum's, and the sum's before A's. A NaN that arises otherwise is
/// negative.
double fused(double a, double b, double sum) {
  const double result = __builtin_fma(a, b, sum);
  if (result == result) return result;
  const double given = b != b ? b : sum != sum ? sum : a;
  uint64_t bits;
  __builtin_memcpy(&bits, &given, sizeof bits);
  bits = given != given ? bits | 0x0008000000000000u : 0xfff8000000000000u;
  double nan;
  __builtin_memcpy(&nan, &bits, sizeof nan);
  return nan;
}

/// One rounding a product, in the order of the products.
void multiply_doubles(const MatrixProduct& p) {
  const auto *a = static_cast<const double*>(p.a), *b = static_cast<const double*>(p.b),
             *c = static_cast<const double*>(p.c);
  auto* d = static_cast<double*>(p.d);
  for (unsigned row = 0; row < p.rows; ++row) {
    for (unsigned column = 0; column < p.columns; ++column) {
      double sum = c[row * p.columns + column];
      for (unsigned k = 0; k < p.depth; ++k) sum = fused(a[row * p.depth + k], b[k * p.columns + column], sum);
      d[row * p.columns + column] = sum;
    }
  }
}

void multiply_integers(const MatrixProduct& p) {
  const auto value = [](const void* from, unsigned at, MatrixElement element) {
    const uint32_t bits = static_cast<const uint32_t*>(from)[at];
    return element == MatrixElement::s8 ? int32_t{static_cast<signed char>(bits)} : static_cast<int32_t>(bits);
  };
  const auto* c = static_cast<const int32_t*>(p.c);
  auto* d = static_cast<uint32_t*>(p.d);
  for (unsigned row = 0; row < p.rows; ++row) {
    int64_t sum[kMostRows];
    for (unsigned j = 0; j < p.columns; ++j) sum[j] = c[row * p.columns + j];
    for (unsigned k = 0; k < p.depth; ++k) {
      const int32_t x = value(p.a, row * p.depth + k, p.a_element);
      for (unsigned j = 0; j < p.columns; ++j) sum[j] += x * value(p.b, k * p.columns + j, p.b_element);
    }
    for (unsigned j = 0; j < p.columns; ++j) {
      int64_t result = sum[j];
      if (p.saturates && result > 0x7fffffff) result = 0x7fffffff;
      if (p.saturates && result < -int64_t{0x80000000}) result = -int64_t{0x80000000};
      d[row * p.columns + j] = static_cast<uint32_t>(result);
    }
  }
}

void multiply_in_steps(const MatrixProduct& all) {
  uint32_t a[kMostRows * kMostDepth], c[kMostRows * kMostDepth];
  __builtin_memcpy(c, all.c, all.rows * all.columns * sizeof *c);
  for (unsigned first = 0; first < all.depth; first += all.step) {
    for (unsigned i = 0; i < all.rows * all.step; ++i)
      a[i] = static_cast<const uint32_t*>(all.a)[i / all.step * all.depth + first + i % all.step];
    MatrixProduct part = all;
    part.a = a;
    part.b = static_cast<const uint32_t*>(all.b) + first * all.columns;
    part.c = c;
    part.depth = all.step;
    multiply_matrices(part);
    __builtin_memcpy(c, all.d, all.rows * all.columns * sizeof *c);
  }
}

}  // namespace

void multiply_matrices(const MatrixProduct& product) {
  if (product.step < product.depth) return multiply_in_steps(product);
  if (product.a_element == MatrixElement::f64) return multiply_doubles(product);
  if (product.c_element == MatrixElement::s32) return multiply_integers(product);
  multiply_floats(product);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
