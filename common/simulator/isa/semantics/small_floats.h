// SPDX-License-Identifier: MIT
// Floating-point numbers of 8 bits, two in a register: cvt makes them of f32 and of f16, and f16 of them.
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
/// The first bits above the numbers.
template <>
constexpr u64 kInfinityOfFormat<e4m3> = 0x7f;

CUDASIM_INLINE f16 widen_exactly(e5m2 x) { return {static_cast<u16>(x.bits << 8)}; }
inline f16 widen_exactly(e4m3 x) {
  const u32 magnitude = x.bits & 0x7fu;
  const f64 value = magnitude < 8 ? magnitude * 0x1p-9 : bits_as<f64>((u64{magnitude} << 49) + (u64{1023 - 7} << 52));
  return from_f64<f16>((x.bits & 0x80) != 0 ? -value : value, Rounding::nearest);
}
CUDASIM_INLINE bool is_nan(e4m3 x) { return (x.bits & 0x7f) == 0x7f; }
CUDASIM_INLINE bool is_nan(e5m2 x) { return (x.bits & 0x7f) > 0x7c; }

/// To nearest; what is too large becomes the largest number (.satfinite).
template <class T, bool relu>
u32 to_eight_bits(f32 x) {
  if (x != x) return static_cast<u32>(Format<T>::kNan);
  if (relu && !(x > 0)) return 0;
  const u32 bits = from_f64<T>(static_cast<f64>(x), Rounding::nearest).bits;
  return (bits & 0x7f) < kInfinityOfFormat<T> ? bits : (bits & 0x80) | static_cast<u32>(kInfinityOfFormat<T> - 1);
}

/// a, or the upper half of a, becomes the upper byte.
template <class T, bool relu>
struct PackEights {
  static u16 of(f32 a, f32 b) { return static_cast<u16>((to_eight_bits<T, relu>(a) << 8) | to_eight_bits<T, relu>(b)); }
  static u16 of(f16x2 a) {
    return of(widen(f16{static_cast<u16>(a.bits >> 16)}), widen(f16{static_cast<u16>(a.bits)}));
  }
};

template <class T, bool relu>
struct UnpackEights {
  static u32 of(u16 a) { return (one(T{static_cast<u8>(a >> 8)}) << 16) | one(T{static_cast<u8>(a)}); }
  static u32 one(T x) {
    if (is_nan(x)) return static_cast<u32>(Format<f16>::kNan);
    return relu && (x.bits & 0x80) != 0 ? 0 : widen_exactly(x).bits;
  }
};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
