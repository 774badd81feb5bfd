// SPDX-License-Identifier: MIT
// Integer arithmetic of one operation: add, sub, mul, div, rem, abs, neg, min, max, and their packed 16-bit forms.
// Overflow wraps unless .sat is written. Division by zero is the one open question of this file: see *_by_zero.
#include "isa/families.h"
#include "isa/semantics/integer_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

struct Add {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
struct AddSaturating {
  static s32 of(s32 a, s32 b) { return clamp_to_s32(s64{a} + b); }
};
struct SubSaturating {
  static s32 of(s32 a, s32 b) { return clamp_to_s32(s64{a} - b); }
};

struct Abs {
  template <class T>
  static T of(T a) {
    return a < 0 ? Sub::of<T>(0, a) : a;
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return Sub::of<T>(0, a);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};
/// .relu: negative results become 0.
template <class Op>
struct Relu {
  template <class T>
  static T of(T a, T b) {
    return Max::of<T>(Op::of(a, b), 0);
  }
};

// ptxas makes the result of a division by zero all ones, for quotient and remainder, for every width (it selects the
// value explicitly). A remainder that ptxas computes from a quotient of the same operands comes out as `a` instead.
template <class T>
CUDASIM_INLINE T quotient_by_zero() {
  return static_cast<T>(~T{0});
}
template <class T>
CUDASIM_INLINE T remainder_by_zero() {
  return static_cast<T>(~T{0});
}

/// |a| as an unsigned number; the identity for unsigned types.
template <class T>
CUDASIM_INLINE Bits<T> magnitude(T a) {
  return static_cast<Bits<T>>(a < 0 ? Wrapping<T>(0) - Wrapping<T>(a) : Wrapping<T>(a));
}
/// Divides magnitudes; divisor != 0. Up to 32 bits it divides in f64, which is exact here and vectorises. The quotient
/// is no nearer to the next integer than 1 / divisor, far more than half a unit in the last place.
template <class T>
CUDASIM_INLINE T divide_magnitudes(T a, T divisor) {
  if constexpr (sizeof(T) == 8) {
    return a / divisor;
  } else {
    return static_cast<T>(static_cast<u32>(static_cast<f64>(a) / static_cast<f64>(divisor)));
  }
}

struct Div {
  template <class T>
  static T of(T a, T b) {
    const T divisor = b == 0 ? T{1} : b;
    const Bits<T> quotient = divide_magnitudes(magnitude(a), magnitude(divisor));
    const bool negative = (a < 0) != (b < 0);
    const T result = static_cast<T>(negative ? Wrapping<T>(0) - Wrapping<T>(quotient) : Wrapping<T>(quotient));
    return b == 0 ? quotient_by_zero<T>() : result;
  }
};
struct Rem {
  template <class T>
  static T of(T a, T b) {
    const T rest = Sub::of<T>(a, MulLow::of<T>(Div::of<T>(a, b), b));
    return b == 0 ? remainder_by_zero<T>() : rest;
  }
};

/// Kernels that ask for a thread's number modulo a stride have one power of two in all lanes, and a division is slow.
void remainder_u32(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<u32>(frame, op.a);
  const auto* const b = slot<u32>(frame, op.b);
  const u32 divisor = b[0], lower_bits = divisor - 1;
  u32 differing = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differing |= b[lane] ^ divisor;
  if (differing != 0 || divisor == 0 || (divisor & lower_bits) != 0) return binary<Rem, u32, u32, u32>(frame, op, mask);
  write_lanes<u32>(frame, op.d, mask, [=](unsigned i) { return a[i] & lower_bits; });
}

/// A meaning on both 16-bit halves of a register.
template <class Op, class T>
struct Halves {
  static u32 of(u32 a, u32 b) {
    const u32 low = static_cast<u16>(Op::template of<T>(static_cast<T>(a), static_cast<T>(b)));
    const u32 high = static_cast<u16>(Op::template of<T>(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | (high << 16);
  }
};
template <class Op, class T>
constexpr Execute halves = binary<Halves<Op, T>, u32, u32, u32>;

/// Two's complement: one meaning serves signed and unsigned types of a width.
template <class Op>
constexpr auto wrapping = by_type<0, Binary<Op>, u16, u16, u32, u32, u64, u64>;
template <class Op>
constexpr auto typed = by_type<0, Binary<Op>, u16, s16, u32, s32, u64, s64>;
/// 64-bit division does not vectorise, so it is done for active lanes only.
template <class Op>
struct Division {
  template <class T>
  static constexpr Execute execute() {
    if constexpr (std::is_same_v<Op, Rem> && std::is_same_v<T, u32>) {
      return remainder_u32;
    } else if constexpr (sizeof(T) == 8) {
      return slow_binary<Op, T, T, T>;
    } else {
      return binary<Op, T, T, T>;
    }
  }
};
template <class Op>
constexpr auto division = by_type<0, Division<Op>, u16, s16, u32, s32, u64, s64>;

#define SIX_TYPES "<.u16|.s16|.u32|.s32|.u64|.s64>"

}  // namespace

InstructionDefinitions integer_rows() {
  static const InstructionDefinition rows[] = {
      {"add" SIX_TYPES, "d:G0 a:G0 b:G0", wrapping<Add>, "9.7.1.1"},
      {"add.sat.s32", "d:s32 a:s32 b:s32", always<binary<AddSaturating, s32, s32, s32>>, "9.7.1.1"},
      {"add<.u16x2|.s16x2>", "d:b32 a:b32 b:b32", always<halves<Add, u16>>, "9.7.1.1"},
      {"sub" SIX_TYPES, "d:G0 a:G0 b:G0", wrapping<Sub>, "9.7.1.2"},
      {"sub.sat.s32", "d:s32 a:s32 b:s32", always<binary<SubSaturating, s32, s32, s32>>, "9.7.1.2"},
      {"mul.lo" SIX_TYPES, "d:G0 a:G0 b:G0", wrapping<MulLow>, "9.7.1.3"},
      {"mul.hi" SIX_TYPES, "d:G0 a:G0 b:G0", typed<MulHigh>, "9.7.1.3"},
      {"mul.wide<.u16|.s16|.u32|.s32>", "d:W0 a:G0 b:G0", by_type<0, WideBinary<MulWide>, u16, s16, u32, s32>,
       "9.7.1.3"},
      {"div" SIX_TYPES, "d:G0 a:G0 b:G0", division<Div>, "9.7.1.8"},
      {"rem" SIX_TYPES, "d:G0 a:G0 b:G0", division<Rem>, "9.7.1.9"},
      {"abs<.s16|.s32|.s64>", "d:G0 a:G0", by_type<0, Unary<Abs>, s16, s32, s64>, "9.7.1.10"},
      {"neg<.s16|.s32|.s64>", "d:G0 a:G0", by_type<0, Unary<Neg>, u16, u32, u64>, "9.7.1.11"},
      {"min" SIX_TYPES, "d:G0 a:G0 b:G0", typed<Min>, "9.7.1.12"},
      {"min.relu.s32", "d:s32 a:s32 b:s32", always<binary<Relu<Min>, s32, s32, s32>>, "9.7.1.12"},
      {"min.u16x2", "d:b32 a:b32 b:b32", always<halves<Min, u16>>, "9.7.1.12"},
      {"min.s16x2", "d:b32 a:b32 b:b32", always<halves<Min, s16>>, "9.7.1.12"},
      {"min.relu.s16x2", "d:b32 a:b32 b:b32", always<halves<Relu<Min>, s16>>, "9.7.1.12"},
      {"max" SIX_TYPES, "d:G0 a:G0 b:G0", typed<Max>, "9.7.1.13"},
      {"max.relu.s32", "d:s32 a:s32 b:s32", always<binary<Relu<Max>, s32, s32, s32>>, "9.7.1.13"},
      {"max.u16x2", "d:b32 a:b32 b:b32", always<halves<Max, u16>>, "9.7.1.13"},
      {"max.s16x2", "d:b32 a:b32 b:b32", always<halves<Max, s16>>, "9.7.1.13"},
      {"max.relu.s16x2", "d:b32 a:b32 b:b32", always<halves<Relu<Max>, s16>>, "9.7.1.13"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
