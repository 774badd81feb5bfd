// SPDX-License-Identifier: MIT
// Floating-point numbers of 8, 6 and 4 bits, two in a register: cvt makes them of f32 and of f16, and f16 of them. And
// exponents without a fraction (ue8m0), of f32 and bf16.
#pragma once

#include "isa/semantics/conversion_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

/// e4m3 has no infinity: its largest exponent has numbers up to 448, and one NaN.
struct e4m3 {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};
/// These have neither an infinity nor a NaN: a NaN becomes the largest number (PTX ISA, cvt).
struct e2m3 {
  u8 bits;
};
struct e3m2 {
  u8 bits;
};
struct e2m1 {
  u8 bits;
};
/// Here `kMaxExponent` is the bias of the exponent.
template <>
struct Format<e4m3> {
  static constexpr int kPrecision = 4, kMaxExponent = 7;
  static constexpr u64 kNan = 0x7f;
};
template <>
struct Format<e5m2> {
  static constexpr int kPrecision = 3, kMaxExponent = 15;
  static constexpr u64 kNan = 0x7f;
};
template <>
struct Format<e2m3> {
  static constexpr int kPrecision = 4, kMaxExponent = 1;
  static constexpr u64 kNan = 0x1f;
};
template <>
struct Format<e3m2> {
  static constexpr int kPrecision = 3, kMaxExponent = 3;
  static constexpr u64 kNan = 0x1f;
};
template <>
struct Format<e2m1> {
  static constexpr int kPrecision = 2, kMaxExponent = 1;
  static constexpr u64 kNan = 0x7;
};
/// The first bits above the numbers.
template <>
constexpr u64 kInfinityOfFormat<e4m3> = 0x7f;
template <>
constexpr u64 kInfinityOfFormat<e2m3> = 0x20;
template <>
constexpr u64 kInfinityOfFormat<e3m2> = 0x20;
template <>
constexpr u64 kInfinityOfFormat<e2m1> = 0x8;
template <>
constexpr u64 kSignOfFormat<e2m3> = 0x20;
template <>
constexpr u64 kSignOfFormat<e3m2> = 0x20;
template <>
constexpr u64 kSignOfFormat<e2m1> = 0x8;

/// How many bits of a register a number takes: those of 6 bits take 8, with zeros above.
template <class T>
constexpr unsigned kBitsOfPart = kSignOfFormat<T> == 0x8 ? 4 : 8;
/// Two of them.
template <class T>
using PairOf = std::conditional_t<kBitsOfPart<T> == 4, u8, u16>;

template <class T>
CUDASIM_INLINE u32 magnitude_of(T x) {
  return x.bits & static_cast<u32>(kSignOfFormat<T> - 1);
}
CUDASIM_INLINE f16 widen_exactly(e5m2 x) { return {static_cast<u16>(x.bits << 8)}; }
template <class T>
f16 widen_exactly(T x) {
  constexpr int kFraction = Format<T>::kPrecision - 1, kBias = Format<T>::kMaxExponent;
  constexpr u64 kBiasOfF64 = 1023;
  const u64 magnitude = magnitude_of(x);
  const f64 unit = bits_as<f64>((kBiasOfF64 + 1 - kBias - kFraction) << 52);  // of the subnormal numbers
  const f64 value = magnitude < (u64{1} << kFraction)
                        ? static_cast<f64>(magnitude) * unit
                        : bits_as<f64>((magnitude << (52 - kFraction)) + ((kBiasOfF64 - kBias) << 52));
  return from_f64<f16>((x.bits & kSignOfFormat<T>) != 0 ? -value : value, Rounding::nearest);
}
/// The first magnitude that is a NaN; the formats of 6 and 4 bits have none.
template <class T>
constexpr u32 kFirstNan = static_cast<u32>(kInfinityOfFormat<T>);
template <>
constexpr u32 kFirstNan<e5m2> = 0x7d;

/// To nearest; what is too large becomes the largest number (.satfinite).
template <class T, bool relu>
u32 to_small_float(f32 x) {
  if (x != x) return static_cast<u32>(Format<T>::kNan);
  if (relu && !(x > 0)) return 0;
  const u64 bits = from_f64<T>(static_cast<f64>(__builtin_fabsf(x)), Rounding::nearest).bits;
  const u64 magnitude = bits < kInfinityOfFormat<T> ? bits : kInfinityOfFormat<T> - 1;
  return static_cast<u32>(magnitude | (__builtin_signbit(x) ? kSignOfFormat<T> : 0));
}

/// a, or the upper half of a, becomes the upper part.
template <class T, bool relu>
struct PackSmallFloats {
  static PairOf<T> of(f32 a, f32 b) {
    return static_cast<PairOf<T>>((to_small_float<T, relu>(a) << kBitsOfPart<T>) | to_small_float<T, relu>(b));
  }
  static PairOf<T> of(f16x2 a) {
    return of(widen(f16{static_cast<u16>(a.bits >> 16)}), widen(f16{static_cast<u16>(a.bits)}));
  }
};

template <class T, bool relu>
struct UnpackSmallFloats {
  static u32 of(PairOf<T> a) {
    constexpr u32 kPart = static_cast<u32>(2 * kSignOfFormat<T> - 1);
    return (one(T{static_cast<u8>(a >> kBitsOfPart<T> & kPart)}) << 16) | one(T{static_cast<u8>(a & kPart)});
  }
  static u32 one(T x) {
    if (magnitude_of(x) >= kFirstNan<T>) return static_cast<u32>(Format<f16>::kNan);
    return relu && (x.bits & kSignOfFormat<T>) != 0 ? 0 : widen_exactly(x).bits;
  }
};

/// The exponent of a number without its sign, 2^-127 and below as 0. 255 is NaN, and without `satfinite` what is too
/// large.
template <bool up, bool satfinite>
struct PackExponents {
  static u32 one(f32 x) {
    constexpr u32 kInfinity = 0x7f800000, kSmallest = 0x00400000;  // 2^-127
    const u32 bits = bits_as<u32>(x) & 0x7fffffffu;
    const bool rounds = up && (bits & 0x007fffffu) != 0 && bits > kSmallest && bits < kInfinity;
    const u32 exponent = (bits >> 23) + rounds;
    return satfinite && exponent == 0xff && bits <= kInfinity ? 0xfe : exponent;
  }
  static u16 of(f32 a, f32 b) { return static_cast<u16>((one(a) << 8) | one(b)); }
  static u16 of(bf16x2 a) {
    return of(widen(bf16{static_cast<u16>(a.bits >> 16)}), widen(bf16{static_cast<u16>(a.bits)}));
  }
};
struct UnpackExponents {
  static u32 of(u16 a) { return (one(a >> 8) << 16) | one(a & 0xffu); }
  static u32 one(u32 exponent) {
    return exponent == 0xff ? static_cast<u32>(Format<bf16>::kNan) : exponent == 0 ? 0x0040 : exponent << 7;
  }
};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
