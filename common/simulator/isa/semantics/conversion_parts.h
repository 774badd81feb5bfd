// SPDX-License-Identifier: MIT
// Exact conversion between formats: any integer or f64 to a narrower floating-point format, rounded once in any mode,
// and the 16-bit formats to f32. 16-bit arithmetic and cvt use it. The conversions of cvt between floating-point
// formats are here too.
#pragma once

#include <type_traits>

#include "isa/semantics/number.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

/// precision counts the implicit bit; `kNan` is the one NaN that instructions make.
template <class T>
struct Format;
template <>
struct Format<f16> {
  static constexpr int kPrecision = 11, kMaxExponent = 15;
  static constexpr u64 kNan = 0x7fff;
};
template <>
struct Format<bf16> {
  static constexpr int kPrecision = 8, kMaxExponent = 127;
  static constexpr u64 kNan = 0x7fff;
};
template <>
struct Format<f32> {
  static constexpr int kPrecision = 24, kMaxExponent = 127;
  static constexpr u64 kNan = kNanBitsF32;
};
template <>
struct Format<f64> {
  static constexpr int kPrecision = 53, kMaxExponent = 1023;
  static constexpr u64 kNan = kNanBitsF64;
};

template <class D>
CUDASIM_INLINE D number_from_bits(u64 bits) {
  return bits_as<D>(static_cast<Bits<D>>(bits));
}
template <class D>
constexpr u64 kSignOfFormat = u64{1} << (8 * sizeof(D) - 1);
template <class D>
constexpr u64 kInfinityOfFormat = static_cast<u64>(2 * Format<D>::kMaxExponent + 1) << (Format<D>::kPrecision - 1);

/// The bits of the number nearest, in the sense of `mode`, to (-1)^negative * significand * 2^exponent in format D.
template <class D>
[[gnu::noinline]] u64 round_to_format(bool negative, u64 significand, int exponent, Rounding mode) {
  constexpr int kPrecision = Format<D>::kPrecision, kMaxExponent = Format<D>::kMaxExponent;
  const u64 sign = negative ? kSignOfFormat<D> : 0;
  if (significand == 0) return sign;
  const int highest = 63 - __builtin_clzll(significand) + exponent;  // exponent of the leading bit
  const int normal = highest < 1 - kMaxExponent ? 1 - kMaxExponent : highest;
  const int last = normal - (kPrecision - 1);  // exponent of the last bit kept
  const int shift = last - exponent;
  u64 kept = 0;
  int rest = 0;  // what was cut off against half a unit: 0 nothing, 1 less, 2 half, 3 more
  if (shift <= 0) {
    kept = significand << -shift;
  } else if (shift > 64) {
    rest = 1;
  } else {
    const u64 half = u64{1} << (shift - 1);
    const u64 cut = shift == 64 ? significand : significand & (2 * half - 1);
    kept = shift == 64 ? 0 : significand >> shift;
    rest = cut == 0 ? 0 : cut < half ? 1 : cut == half ? 2 : 3;
  }
  const bool away = rest != 0 && (mode == Rounding::minus ? negative : mode == Rounding::plus && !negative);
  const bool nearest_up = mode == Rounding::nearest && (rest == 3 || (rest == 2 && (kept & 1) != 0));
  if (away || nearest_up) ++kept;
  // The implicit bit of `kept`, if it is there, carries into the exponent field.
  const u64 field = static_cast<u64>(last + kPrecision - 1 + kMaxExponent - 1);
  const u64 bits = (field << (kPrecision - 1)) + kept;
  if (bits < kInfinityOfFormat<D>) return sign | bits;
  const bool to_infinity =
      mode == Rounding::nearest || (mode == Rounding::minus && negative) || (mode == Rounding::plus && !negative);
  return sign | (to_infinity ? kInfinityOfFormat<D> : kInfinityOfFormat<D> - 1);
}

template <class D>
[[gnu::noinline]] D from_f64(f64 x, Rounding mode) {
  const u64 bits = bits_as<u64>(x);
  const bool negative = (bits >> 63) != 0;
  const int field = static_cast<int>((bits >> 52) & 0x7ff);
  const u64 fraction = bits & 0x000fffffffffffffull;
  if (field == 0x7ff) {
    if (fraction != 0) return number_from_bits<D>(Format<D>::kNan);
    return number_from_bits<D>((negative ? kSignOfFormat<D> : 0) | kInfinityOfFormat<D>);
  }
  const u64 significand = field == 0 ? fraction : fraction | 0x0010000000000000ull;
  return number_from_bits<D>(round_to_format<D>(negative, significand, (field == 0 ? 1 : field) - 1075, mode));
}

template <class D, class A>
D from_integer(A a, Rounding mode) {
  const bool negative = std::is_signed_v<A> && a < 0;
  const u64 wide = static_cast<u64>(a);  // sign-extended
  return number_from_bits<D>(round_to_format<D>(negative, negative ? 0 - wide : wide, 0, mode));
}

/// A 16-bit number as f32, exactly. A NaN stays a NaN, with its payload.
CUDASIM_INLINE f32 widen(f16 x) {
  const u32 magnitude = x.bits & 0x7fffu;
  const u32 sign = static_cast<u32>(x.bits & 0x8000u) << 16;
  const u32 subnormal = bits_as<u32>(static_cast<f32>(static_cast<s32>(magnitude)) * 5.9604644775390625e-8f);  // 2^-24
  const u32 normal = (magnitude << 13) + (magnitude >= 0x7c00 ? 0x70000000u : 0x38000000u);  // exponent bias
  return bits_as<f32>(sign | (magnitude < 0x0400 ? subnormal : normal));
}
CUDASIM_INLINE f32 widen(bf16 x) { return bits_as<f32>(static_cast<u32>(x.bits) << 16); }
CUDASIM_INLINE f32 widen(f32 x) { return x; }
CUDASIM_INLINE f64 widen(f64 x) { return x; }

/// A 16-bit number from the f64 that an operation made of it, to nearest.
template <class T>
T narrow(f64 x) {
  return from_f64<T>(x, Rounding::nearest);
}

// ---- rounding to integral values ------------------------------------------------------------------------------------

enum class Integral : u8 { nearest, zero, minus, plus };

template <Integral mode>
CUDASIM_INLINE f32 to_integral(f32 x) {
  if constexpr (mode == Integral::nearest) return __builtin_rintf(x);
  if constexpr (mode == Integral::zero) return __builtin_truncf(x);
  if constexpr (mode == Integral::minus) return __builtin_floorf(x);
  return __builtin_ceilf(x);
}
template <Integral mode>
CUDASIM_INLINE f64 to_integral(f64 x) {
  if constexpr (mode == Integral::nearest) return __builtin_rint(x);
  if constexpr (mode == Integral::zero) return __builtin_trunc(x);
  if constexpr (mode == Integral::minus) return __builtin_floor(x);
  return __builtin_ceil(x);
}

// ---- floating point to floating point ------------------------------------------------------------------------------

/// What a NaN becomes on its way to another format. All of it was measured on an H200, except the sign where only
/// positive NaN were tried. These are f64 to a narrower format, and f16 and bf16 to f64.
template <class D, bool ftz, class A>
CUDASIM_INLINE D converted_nan(A a) {
  if constexpr (std::is_same_v<D, f64>) {
    // The payload stays, and the NaN becomes quiet. With .ftz an f32 operation comes first, which has one NaN.
    return static_cast<f64>(ftz ? bits_as<f32>(kNanBitsF32) : widen(a));
  } else if constexpr (std::is_same_v<A, f64>) {
    // The highest bits of the payload stay, and the NaN becomes quiet.
    const u64 bits = bits_as<u64>(a);
    const u64 fraction = (bits & 0x000fffffffffffffull) >> (Format<f64>::kPrecision - Format<D>::kPrecision);
    const u64 quiet_bit = u64{1} << (Format<D>::kPrecision - 2);
    return number_from_bits<D>(((bits >> 63) != 0 ? kSignOfFormat<D> : 0) | kInfinityOfFormat<D> | quiet_bit |
                               fraction);
  } else if constexpr (std::is_same_v<D, f32> && std::is_same_v<A, bf16> && !ftz) {
    return widen(a);  // a shift: it does not even become quiet
  } else {
    return number_from_bits<D>(Format<D>::kNan);
  }
}
enum class After : u8 { nothing, sat, relu };

/// Between formats, rounding once; `mode` matters only to a narrower format.
template <class D, Rounding mode, bool ftz, After after>
struct FloatToFloat {
  template <class A>
  static D of(A a) {
    // f32 to f16 takes .ftz and ignores it: .rp and .rm round a subnormal away from zero (measured on an H200).
    constexpr bool kFlushes = ftz && std::is_same_v<A, f32> && !std::is_same_v<D, f16>;
    auto x = widen(a);
    if constexpr (kFlushes) x = flush(x);
    if constexpr (after == After::sat) x = saturate(x);
    if constexpr (after == After::relu) x = x < 0 ? 0 : x;
    D result;
    if constexpr (std::is_same_v<D, f64> || (std::is_same_v<D, f32> && mode == Rounding::nearest)) {
      result = static_cast<D>(x);
    } else {
      result = from_f64<D>(static_cast<f64>(x), mode);
    }
    if constexpr (ftz && std::is_same_v<D, f32>) result = flush(result);
    if constexpr (after == After::relu) result = relu_zero(result);
    return x != x ? converted_nan<D, ftz>(a) : result;
  }
  /// -0 becomes +0 under .relu.
  static D relu_zero(D x) {
    const auto bits = bits_as<Bits<D>>(x);
    return static_cast<u64>(bits) == kSignOfFormat<D> ? number_from_bits<D>(0) : x;
  }
};

/// Same format: rounds to an integral value, or only flushes and saturates. With none of these f32 and f64 are moved: a
/// NaN keeps its payload (measured on an H200). f16 passes through an operation that has one NaN.
template <Integral mode, bool round, bool ftz, bool sat>
struct SameFormat {
  template <class T>
  static T of(T a) {
    auto x = widen(a);
    if constexpr (ftz && std::is_same_v<T, f32>) x = flush(x);
    if constexpr (round) x = to_integral<mode>(x);
    if constexpr (sat) x = saturate(x);
    if constexpr (std::is_same_v<T, f64>) {
      return x != x && round ? quiet(x) : x;
    } else if constexpr (std::is_same_v<T, f32>) {
      return x != x && (round || ftz) ? bits_as<f32>(kNanBitsF32) : x;
    } else {
      return x != x ? number_from_bits<T>(Format<T>::kNan) : from_f64<T>(static_cast<f64>(x), Rounding::nearest);
    }
  }
};

/// Two f32 into one register: a is the upper half.
template <class T, class X2, Rounding mode, After after>
struct PackHalves {
  static u32 of(f32 a, f32 b) {
    using One = FloatToFloat<T, mode, false, after>;
    return (static_cast<u32>(One::of(a).bits) << 16) | One::of(b).bits;
  }
};

/// tf32: f32 with 10 bits of fraction, ties away from zero. A NaN is only cut off (measured on an H200). A NaN whose
/// payload is in the bits cut off becomes an infinity.
struct ToTf32 {
  static u32 of(f32 a) {
    const u32 bits = bits_as<u32>(a);
    const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    return (is_finite ? bits + 0x1000u : bits) & ~0x1fffu;
  }
};

/// The same to the nearest, ties to even, or toward zero. Here any NaN becomes one of its own.
template <bool nearest, bool relu>
struct RoundedTf32 {
  static u32 of(f32 a) {
    const u32 bits = bits_as<u32>(a);
    if (a != a) return 0x7fffe000u;
    if (relu && (bits >> 31) != 0) return 0;
    const bool rounds = nearest && (bits & 0x7f800000u) != 0x7f800000u;
    return (rounds ? bits + 0xfffu + (bits >> 13 & 1u) : bits) & ~0x1fffu;
  }
};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
