// SPDX-License-Identifier: MIT
// Integer meanings that more than one family needs: multiplication in its three widths, wrapping arithmetic, clamps.
#pragma once

#include <type_traits>

#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

/// Unsigned arithmetic of at least 32 bits, in which no operation on T overflows in the sense of C++.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <std::size_t size_bytes, bool is_signed>
struct IntegerOf;
template <>
struct IntegerOf<4, false> {
  using type = u32;
};
template <>
struct IntegerOf<4, true> {
  using type = s32;
};
template <>
struct IntegerOf<8, false> {
  using type = u64;
};
template <>
struct IntegerOf<8, true> {
  using type = s64;
};
template <>
struct IntegerOf<16, false> {
  __extension__ typedef unsigned __int128 type;
};
template <>
struct IntegerOf<16, true> {
  __extension__ typedef __int128 type;
};
/// The integer twice as wide.
template <class T>
using Wide = typename IntegerOf<2 * sizeof(T), std::is_signed_v<T>>::type;

CUDASIM_INLINE s32 clamp_to_s32(s64 x) {
  constexpr s64 kLowest = -0x80000000ll, kHighest = 0x7fffffffll;
  return static_cast<s32>(x < kLowest ? kLowest : x > kHighest ? kHighest : x);
}

struct MulLow {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct MulWide {
  template <class T>
  static Wide<T> of(T a, T b) {
    // In unsigned arithmetic, because the product of two u16 overflows int.
    using U = std::make_unsigned_t<Wide<T>>;
    return static_cast<Wide<T>>(static_cast<U>(static_cast<Wide<T>>(a)) * static_cast<U>(static_cast<Wide<T>>(b)));
  }
};
struct MulHigh {
  template <class T>
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> 64);
    } else {
      return static_cast<T>(MulWide::of(a, b) >> (8 * sizeof(T)));
    }
  }
};

/// T in, twice the width out.
template <class Op>
struct WideBinary {
  template <class T>
  static constexpr Execute execute() {
    return binary<Op, Wide<T>, T, T>;
  }
};

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
