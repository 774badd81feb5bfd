// SPDX-License-Identifier: MIT
// Integer arithmetic of several steps: multiply-add, 24-bit products, absolute differences, bit fields and bit counts,
// dot products, funnel shifts, byte permutation, and arithmetic with a carry.
//
// The carry flag is a predicate slot that the PTX text does not name. Rows write it as the operand `cc`, and it is in
// slot e.
#include "isa/families.h"
#include "isa/semantics/carry_parts.h"
#include "isa/semantics/integer_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

// ---- products and sums ---------------------------------------------------------------------------------------------

template <class Product>
struct MadOf {
  template <class T, class C>
  static C of(T a, T b, C c) {
    return static_cast<C>(Wrapping<C>(Product::of(a, b)) + Wrapping<C>(c));
  }
};
/// mad.hi.sat: the sum saturates.
template <class Product>
struct MadSaturating {
  static s32 of(s32 a, s32 b, s32 c) { return clamp_to_s32(s64{Product::of(a, b)} + c); }
};

/// The low 24 bits of a register, sign-extended for s32.
CUDASIM_INLINE s64 low_24(s32 a) { return s64{static_cast<s32>(static_cast<u32>(a) << 8) >> 8}; }
CUDASIM_INLINE u64 low_24(u32 a) { return u64{a & 0xffffffu}; }
struct Mul24Low {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(low_24(a) * low_24(b));
  }
};
/// Bits 47 to 16 of the 48-bit product.
struct Mul24High {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((low_24(a) * low_24(b)) >> 16);
  }
};

struct Sad {
  template <class T>
  static T of(T a, T b, T c) {
    const Wrapping<T> x = Wrapping<T>(a), y = Wrapping<T>(b);
    return static_cast<T>(Wrapping<T>(c) + (a < b ? y - x : x - y));
  }
};

template <class Op>
struct WideTernary {
  template <class T>
  static constexpr Execute execute() {
    return ternary<Op, Wide<T>, T, T, Wide<T>>;
  }
};

/// Four 8-bit products, or two 8-bit by 16-bit products, added to c. A and B are the types of the bytes.
template <class A, class B>
struct Dp4a {
  static u32 of(u32 a, u32 b, u32 c) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      c += static_cast<u32>(s32{static_cast<A>(a >> shift)} * s32{static_cast<B>(b >> shift)});
    }
    return c;
  }
};
template <class A, class B, unsigned first_bit>
struct Dp2a {
  static u32 of(u32 a, u32 b, u32 c) {
    c += static_cast<u32>(s32{static_cast<A>(a)} * s32{static_cast<B>(b >> first_bit)});
    return c + static_cast<u32>(s32{static_cast<A>(a >> 16)} * s32{static_cast<B>(b >> (first_bit + 8))});
  }
};
template <class Op>
constexpr Execute ternary_32 = ternary<Op, u32, u32, u32, u32>;
/// Groups 0 and 1 are the signs of a and b.
template <unsigned group, Execute uu, Execute us, Execute su, Execute ss>
Execute by_signs(const Match& match) {
  constexpr Execute kTable[2][2] = {{uu, us}, {su, ss}};
  return kTable[choice_of(match, group)][choice_of(match, group + 1)];
}
template <unsigned first_bit>
constexpr auto dp2a = by_signs<0, ternary_32<Dp2a<u16, u8, first_bit>>, ternary_32<Dp2a<u16, s8, first_bit>>,
                               ternary_32<Dp2a<s16, u8, first_bit>>, ternary_32<Dp2a<s16, s8, first_bit>>>;

// ---- bits ----------------------------------------------------------------------------------------------------------

struct Popc {
  static u32 of(u32 a) {
    a -= (a >> 1) & 0x55555555u;
    a = (a & 0x33333333u) + ((a >> 2) & 0x33333333u);
    return (((a + (a >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
  }
  static u32 of(u64 a) { return of(static_cast<u32>(a)) + of(static_cast<u32>(a >> 32)); }
};
struct Clz {
  static u32 of(u32 a) { return a == 0 ? 32 : static_cast<u32>(__builtin_clz(a)); }
  static u32 of(u64 a) { return a == 0 ? 64 : static_cast<u32>(__builtin_clzll(a)); }
};
/// Position of the highest bit that differs from the sign; all ones if there is none.
template <bool shift_amount>
struct Bfind {
  template <class T>
  static u32 of(T a) {
    const Bits<T> bits = static_cast<Bits<T>>(a < 0 ? ~a : a);
    const u32 leading = Clz::of(bits);
    constexpr u32 kWidth = 8 * sizeof(T);
    if (leading == kWidth) return ~0u;
    return shift_amount ? leading : kWidth - 1 - leading;
  }
};
struct Brev {
  static u32 of(u32 a) {
    a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
    a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
    a = ((a >> 4) & 0x0f0f0f0fu) | ((a & 0x0f0f0f0fu) << 4);
    a = ((a >> 8) & 0x00ff00ffu) | ((a & 0x00ff00ffu) << 8);
    return (a >> 16) | (a << 16);
  }
  static u64 of(u64 a) { return (u64{of(static_cast<u32>(a))} << 32) | of(static_cast<u32>(a >> 32)); }
};

/// The `length` lowest bits set; all of them for a length of the width or more.
template <class T>
CUDASIM_INLINE T low_bits(u32 length) {
  constexpr u32 kWidth = 8 * sizeof(T);
  return length >= kWidth ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << (length & (kWidth - 1))) - 1);
}
/// Position or length of a field: the low 8 bits of the operand, by the manual. An H200 takes the low 8 bits only in
/// the 32-bit forms, which are one instruction there. In the 64-bit forms, which are a few, the whole operand counts.
template <class T>
CUDASIM_INLINE u32 field_operand(u32 operand) {
  return sizeof(T) == 4 ? operand & 0xff : operand;
}
/// Bits past the top of `a` are its sign (s32, s64) or 0.
struct Bfe {
  template <class T>
  static T of(T a, u32 position, u32 length) {
    constexpr u32 kWidth = 8 * sizeof(T);
    constexpr bool kIsSigned = std::is_signed_v<T>;
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    const bool beyond = position >= kWidth;
    const T shifted = static_cast<T>(a >> (beyond ? kWidth - 1 : position));
    const Bits<T> field = static_cast<Bits<T>>(!kIsSigned && beyond ? T{0} : shifted);
    const Bits<T> wanted = low_bits<Bits<T>>(length);
    const Bits<T> sign = Bits<T>(wanted ^ (wanted >> 1));
    const bool negative = kIsSigned && (field & sign) != 0;
    return static_cast<T>(negative ? field | ~wanted : field & wanted);
  }
};
/// Inserts the low bits of a into b. Operands in the order of the text: a, b, position c, length f.
struct Bfi {
  template <class T>
  static T of(T a, T b, u32 position, u32 length) {
    constexpr u32 kWidth = 8 * sizeof(T);
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    const bool beyond = position >= kWidth;
    const u32 shift = position & (kWidth - 1);
    const T wanted = beyond ? T{0} : static_cast<T>(low_bits<T>(length) << shift);
    return (b & ~wanted) | (static_cast<T>(a << shift) & wanted);
  }
};
template <class Op>
struct FieldExtract {
  template <class T>
  static constexpr Execute execute() {
    return ternary<Op, T, T, u32, u32>;
  }
};
template <class Op>
struct FieldInsert {
  template <class T>
  static constexpr Execute execute() {
    return quaternary<Op, T, T, T, u32, u32>;
  }
};

template <bool clamp>
struct Bmsk {
  static u32 of(u32 a, u32 b) {
    if (clamp && a >= 32) return 0;
    const u32 position = a & 31, length = clamp ? b : b & 31;
    return low_bits<u32>(length) << position;
  }
};
template <bool clamp, bool is_signed>
struct Szext {
  static u32 of(u32 a, u32 b) {
    const u32 length = clamp ? b : b & 31;
    const u32 wanted = low_bits<u32>(length);
    const bool negative = is_signed && (a & (wanted ^ (wanted >> 1))) != 0;
    return negative ? a | ~wanted : a & wanted;
  }
};
/// The position of the `offset`-th set bit of `mask` from `base` upwards (offset > 0) or downwards (offset < 0).
struct Fns {
  static u32 of(u32 mask, u32 base, s32 offset) {
    if (offset == 0) return base < 32 && ((mask >> base) & 1) != 0 ? base : ~0u;
    const s32 step = offset > 0 ? 1 : -1;
    s64 left = offset > 0 ? s64{offset} : -s64{offset};
    for (s64 at = base; at >= 0 && at < 32; at += step) {
      if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<u32>(at);
    }
    return ~0u;
  }
};

/// a is the low word, b the high word; the shift amount c is clamped to 32 or wraps.
template <bool left, bool clamp>
struct Shf {
  static u32 of(u32 a, u32 b, u32 c) {
    const u32 count = clamp ? (c < 32 ? c : 32) : c & 31;
    const u64 both = (u64{b} << 32) | a;
    return static_cast<u32>(left ? (both << count) >> 32 : both >> count);
  }
};

struct Prmt {
  enum class Mode { generic, f4e, b4e, rc8, ecl, ecr, rc16 };

  /// One byte of {b, a}: `selector` 0 to 7, plus 8 to replicate the byte's sign.
  static u32 pick(u64 both, u32 selector) {
    const u32 byte = static_cast<u32>(both >> (8 * (selector & 7))) & 0xff;
    return (selector & 8) != 0 ? ((byte & 0x80) != 0 ? 0xffu : 0u) : byte;
  }
  /// The selectors of a named mode, for control value c & 3; one hexadecimal digit a byte of the result.
  template <Mode mode>
  static u32 selectors(u32 c) {
    constexpr u32 kTable[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                  {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                  {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    if constexpr (mode == Mode::generic) {
      return c;
    } else {
      return kTable[static_cast<unsigned>(mode) - 1][c & 3];
    }
  }
};
template <Prmt::Mode mode>
struct PrmtIn {
  static u32 of(u32 a, u32 b, u32 c) {
    const u64 both = (u64{b} << 32) | a;
    const u32 from = Prmt::selectors<mode>(c);
    return Prmt::pick(both, from) | (Prmt::pick(both, from >> 4) << 8) | (Prmt::pick(both, from >> 8) << 16) |
           (Prmt::pick(both, from >> 12) << 24);
  }
};
template <Prmt::Mode mode>
constexpr auto prmt = always<ternary_32<PrmtIn<mode>>>;

#define SIX_TYPES "<.u16|.s16|.u32|.s32|.u64|.s64>"
#define CARRY_TYPES "<.u32|.s32|.u64|.s64>"

}  // namespace

InstructionDefinitions integer_extended_rows() {
  static const InstructionDefinition rows[] = {
      {"mad.lo" SIX_TYPES, "d:G0 a:G0 b:G0 c:G0", by_type<0, Ternary<MadOf<MulLow>>, u16, u16, u32, u32, u64, u64>,
       "9.7.1.4"},
      {"mad.hi" SIX_TYPES, "d:G0 a:G0 b:G0 c:G0", by_type<0, Ternary<MadOf<MulHigh>>, u16, s16, u32, s32, u64, s64>,
       "9.7.1.4"},
      {"mad.wide<.u16|.s16|.u32|.s32>", "d:W0 a:G0 b:G0 c:W0",
       by_type<0, WideTernary<MadOf<MulWide>>, u16, s16, u32, s32>, "9.7.1.4"},
      {"mad.hi.sat.s32", "d:s32 a:s32 b:s32 c:s32", always<ternary<MadSaturating<MulHigh>, s32, s32, s32, s32>>,
       "9.7.1.4"},
      {"mul24.lo<.u32|.s32>", "d:G0 a:G0 b:G0", by_type<0, Binary<Mul24Low>, u32, s32>, "9.7.1.5"},
      {"mul24.hi<.u32|.s32>", "d:G0 a:G0 b:G0", by_type<0, Binary<Mul24High>, u32, s32>, "9.7.1.5"},
      {"mad24.lo<.u32|.s32>", "d:G0 a:G0 b:G0 c:G0", by_type<0, Ternary<MadOf<Mul24Low>>, u32, s32>, "9.7.1.6"},
      {"mad24.hi<.u32|.s32>", "d:G0 a:G0 b:G0 c:G0", by_type<0, Ternary<MadOf<Mul24High>>, u32, s32>, "9.7.1.6"},
      {"mad24.hi.sat.s32", "d:s32 a:s32 b:s32 c:s32", always<ternary<MadSaturating<Mul24High>, s32, s32, s32, s32>>,
       "9.7.1.6"},
      {"sad" SIX_TYPES, "d:G0 a:G0 b:G0 c:G0", by_type<0, Ternary<Sad>, u16, s16, u32, s32, u64, s64>, "9.7.1.7"},
      {"popc<.b32|.b64>", "d:u32 a:G0", by_type<0, UnaryTo<Popc, u32>, u32, u64>, "9.7.1.14"},
      {"clz<.b32|.b64>", "d:u32 a:G0", by_type<0, UnaryTo<Clz, u32>, u32, u64>, "9.7.1.15"},
      {"bfind<.u32|.s32|.u64|.s64>", "d:u32 a:G0", by_type<0, UnaryTo<Bfind<false>, u32>, u32, s32, u64, s64>,
       "9.7.1.16"},
      {"bfind.shiftamt<.u32|.s32|.u64|.s64>", "d:u32 a:G0", by_type<0, UnaryTo<Bfind<true>, u32>, u32, s32, u64, s64>,
       "9.7.1.16"},
      {"fns.b32", "d:b32 a:b32 b:b32 c:s32", always<slow_ternary<Fns, u32, u32, u32, s32>>, "9.7.1.17"},
      {"brev<.b32|.b64>", "d:G0 a:G0", by_type<0, Unary<Brev>, u32, u64>, "9.7.1.18"},
      {"bfe<.u32|.s32|.u64|.s64>", "d:G0 a:G0 b:u32 c:u32", by_type<0, FieldExtract<Bfe>, u32, s32, u64, s64>,
       "9.7.1.19"},
      {"bfi<.b32|.b64>", "d:G0 a:G0 b:G0 c:u32 f:u32", by_type<0, FieldInsert<Bfi>, u32, u64>, "9.7.1.20"},
      {"szext.clamp<.u32|.s32>", "d:G0 a:G0 b:u32",
       by_choice<0, always<binary<Szext<true, false>, u32, u32, u32>>,
                 always<binary<Szext<true, true>, u32, u32, u32>>>,
       "9.7.1.21"},
      {"szext.wrap<.u32|.s32>", "d:G0 a:G0 b:u32",
       by_choice<0, always<binary<Szext<false, false>, u32, u32, u32>>,
                 always<binary<Szext<false, true>, u32, u32, u32>>>,
       "9.7.1.21"},
      {"bmsk.clamp.b32", "d:b32 a:u32 b:u32", always<binary<Bmsk<true>, u32, u32, u32>>, "9.7.1.22"},
      {"bmsk.wrap.b32", "d:b32 a:u32 b:u32", always<binary<Bmsk<false>, u32, u32, u32>>, "9.7.1.22"},
      {"dp4a<.u32|.s32><.u32|.s32>", "d:b32 a:b32 b:b32 c:b32",
       by_signs<0, ternary_32<Dp4a<u8, u8>>, ternary_32<Dp4a<u8, s8>>, ternary_32<Dp4a<s8, u8>>,
                ternary_32<Dp4a<s8, s8>>>,
       "9.7.1.23"},
      {"dp2a.lo<.u32|.s32><.u32|.s32>", "d:b32 a:b32 b:b32 c:b32", dp2a<0>, "9.7.1.24"},
      {"dp2a.hi<.u32|.s32><.u32|.s32>", "d:b32 a:b32 b:b32 c:b32", dp2a<16>, "9.7.1.24"},
      {"shf.l.clamp.b32", "d:b32 a:b32 b:b32 c:u32", always<ternary_32<Shf<true, true>>>, "9.7.8.7"},
      {"shf.l.wrap.b32", "d:b32 a:b32 b:b32 c:u32", always<ternary_32<Shf<true, false>>>, "9.7.8.7"},
      {"shf.r.clamp.b32", "d:b32 a:b32 b:b32 c:u32", always<ternary_32<Shf<false, true>>>, "9.7.8.7"},
      {"shf.r.wrap.b32", "d:b32 a:b32 b:b32 c:u32", always<ternary_32<Shf<false, false>>>, "9.7.8.7"},
      {"prmt.b32", "d:b32 a:b32 b:b32 c:b32", prmt<Prmt::Mode::generic>, "9.7.9.7"},
      {"prmt.b32<.f4e|.b4e|.rc8|.ecl|.ecr|.rc16>", "d:b32 a:b32 b:b32 c:b32",
       by_choice<0, prmt<Prmt::Mode::f4e>, prmt<Prmt::Mode::b4e>, prmt<Prmt::Mode::rc8>, prmt<Prmt::Mode::ecl>,
                 prmt<Prmt::Mode::ecr>, prmt<Prmt::Mode::rc16>>,
       "9.7.9.7"},
      {"add.cc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<false, false, true>, u32, u32, u64, u64>, "9.7.2.1"},
      {"addc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<false, true, false>, u32, u32, u64, u64>, "9.7.2.2"},
      {"addc.cc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<false, true, true>, u32, u32, u64, u64>, "9.7.2.2"},
      {"sub.cc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<true, false, true>, u32, u32, u64, u64>, "9.7.2.3"},
      {"subc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<true, true, false>, u32, u32, u64, u64>, "9.7.2.4"},
      {"subc.cc" CARRY_TYPES, "d:G0 a:G0 b:G0 cc", by_type<0, Carry<true, true, true>, u32, u32, u64, u64>, "9.7.2.4"},
      {"mad<.lo|.hi>.cc" CARRY_TYPES, "d:G1 a:G1 b:G1 c:G1 cc", mad_carry<false, true>, "9.7.2.5"},
      {"madc<.lo|.hi>" CARRY_TYPES, "d:G1 a:G1 b:G1 c:G1 cc", mad_carry<true, false>, "9.7.2.6"},
      {"madc<.lo|.hi>.cc" CARRY_TYPES, "d:G1 a:G1 b:G1 c:G1 cc", mad_carry<true, true>, "9.7.2.6"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
