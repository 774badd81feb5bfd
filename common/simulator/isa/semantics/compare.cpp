// SPDX-License-Identifier: MIT
// Comparison and selection: setp, set, selp, slct, and the tests and sign copies that read bits of a number.
// Comparisons of 16-bit floating-point types are in half.cpp.
#include "isa/families.h"
#include "isa/semantics/comparison_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

/// .ftz forms have a literal group less, because their one type is f32.
template <bool pair>
constexpr auto setp_ftz = Grid<0, 1, Setp<Plain, pair, true>::template With, FloatOperators, Types<f32>>::select;
template <bool pair>
constexpr auto setp_ftz_combined =
    by_choice<1, Grid<0, 2, Setp<AndMask, pair, true>::template With, FloatOperators, Types<f32>>::select,
              Grid<0, 2, Setp<OrMask, pair, true>::template With, FloatOperators, Types<f32>>::select,
              Grid<0, 2, Setp<XorMask, pair, true>::template With, FloatOperators, Types<f32>>::select>;
template <class Combine, unsigned result_group>
constexpr auto set_ftz =
    by_choice<result_group,
              Grid<0, result_group + 1, Set<Combine, u32, true>::template With, FloatOperators, Types<f32>>::select,
              Grid<0, result_group + 1, Set<Combine, u32, true>::template With, FloatOperators, Types<f32>>::select,
              Grid<0, result_group + 1, Set<Combine, f32, true>::template With, FloatOperators, Types<f32>>::select>;

template <class W>
void select(std::byte* frame, const MicroOp& op, Mask mask) {
  select_lanes(slot<W>(frame, op.d), slot<W>(frame, op.a), slot<W>(frame, op.b), *predicate(frame, op.c), mask);
}
struct Selp {
  template <class T>
  static constexpr Execute execute() {
    return select<std::conditional_t<sizeof(T) == 8, u64, u32>>;
  }
};

/// slct: a where c >= 0, else b (also for NaN).
template <class C, bool ftz>
struct Slct {
  template <class T>
  static T of(T a, T b, C c) {
    if constexpr (ftz) c = flush(c);
    return c >= 0 ? a : b;
  }
};
template <class C, bool ftz>
struct SlctOf {
  template <class T>
  static constexpr Execute execute() {
    return ternary<Slct<C, ftz>, T, T, T, C>;
  }
};

/// The classes of testp, from the bits: exponent all ones, all zeros, or between. A zero is normal: the manual does not
/// say so, an H200 does.
template <class T>
struct Parts {
  static constexpr Bits<T> kExponent = sizeof(T) == 8 ? static_cast<Bits<T>>(0x7ff0000000000000ull) : 0x7f800000u;
  static constexpr Bits<T> kFraction = sizeof(T) == 8 ? static_cast<Bits<T>>(0x000fffffffffffffull) : 0x007fffffu;
};
enum class Class { finite, infinite, number, not_a_number, normal, subnormal };
template <Class wanted, class T>
bool is_in_class(T x) {
  const Bits<T> bits = bits_as<Bits<T>>(x);
  const bool top = (bits & Parts<T>::kExponent) == Parts<T>::kExponent, bottom = (bits & Parts<T>::kExponent) == 0;
  const bool fraction = (bits & Parts<T>::kFraction) != 0;
  switch (wanted) {
    case Class::finite:
      return !top;
    case Class::infinite:
      return top & !fraction;
    case Class::number:
      return !(top & fraction);
    case Class::not_a_number:
      return top & fraction;
    case Class::normal:
      return !top & !(bottom & fraction);
    case Class::subnormal:
      return bottom & fraction;
  }
  return false;
}
template <Class wanted, class T>
void test_property(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<T>(frame, op.a);
  write_predicate(frame, op.d, mask,
                  mask_of_lanes<T>([=](unsigned i) { return is_in_class<wanted>(decode<T>(a[i])); }));
}
template <Class wanted>
struct Testp {
  template <class T>
  static constexpr Execute execute() {
    return test_property<wanted, T>;
  }
};
template <Class wanted>
constexpr auto testp = by_type<1, Testp<wanted>, f32, f64>;

/// The sign of a on the value of b.
struct CopySign {
  template <class T>
  static T of(T a, T b) {
    constexpr T kSign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
    return (a & kSign) | (b & static_cast<T>(~kSign));
  }
};

using BitTypes = Types<u16, u32, u64>;
using UnsignedTypes = Types<u16, u32, u64>;
using SignedTypes = Types<s16, s32, s64>;
using FloatTypes = Types<f32, f64>;
#define BIT_TYPES "<.b16|.b32|.b64>"
#define UNSIGNED_TYPES "<.u16|.u32|.u64>"
#define SIGNED_TYPES "<.s16|.s32|.s64>"
#define FLOAT_TYPES "<.f32|.f64>"
#define RESULTS "<.u32|.s32|.f32>"
#define SELECTED "<.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64>"

// Four rows a set of types: with and without a third operand, with one predicate and with two.
#define SETP_ROWS(operators, types, Ops, Ts)                                                                           \
  {"setp" operators types, "d:pred a:G1 b:G1", setp<Ops, Ts, false>, "9.7.6.2"},                                       \
      {"setp" operators types, "d|e:pred a:G1 b:G1", setp<Ops, Ts, true>, "9.7.6.2"},                                  \
      {"setp" operators BOOLEAN_OPERATORS types, "d:pred a:G2 b:G2 c:pred", setp_combined<Ops, Ts, false>, "9.7.6.2"}, \
  {                                                                                                                    \
    "setp" operators BOOLEAN_OPERATORS types, "d|e:pred a:G2 b:G2 c:pred", setp_combined<Ops, Ts, true>, "9.7.6.2"     \
  }
#define SET_ROWS(operators, types, Ops, Ts)                                                                    \
  {"set" operators RESULTS types, "d:G1 a:G2 b:G2", set<Ops, Ts>, "9.7.6.1"}, {                                \
    "set" operators BOOLEAN_OPERATORS RESULTS types, "d:G2 a:G3 b:G3 c:pred", set_combined<Ops, Ts>, "9.7.6.1" \
  }

}  // namespace

InstructionDefinitions compare_rows() {
  static const InstructionDefinition rows[] = {
      SETP_ROWS(SIGNED_OPERATORS, SIGNED_TYPES, SignedOperators, SignedTypes),
      SETP_ROWS(UNSIGNED_OPERATORS, UNSIGNED_TYPES, UnsignedOperators, UnsignedTypes),
      SETP_ROWS(EQUALITY_OPERATORS, BIT_TYPES, EqualityOperators, BitTypes),
      SETP_ROWS(FLOAT_OPERATORS, FLOAT_TYPES, FloatOperators, FloatTypes),
      {"setp" FLOAT_OPERATORS ".ftz<.f32>", "d:pred a:G1 b:G1", setp_ftz<false>, "9.7.6.2"},
      {"setp" FLOAT_OPERATORS ".ftz<.f32>", "d|e:pred a:G1 b:G1", setp_ftz<true>, "9.7.6.2"},
      {"setp" FLOAT_OPERATORS BOOLEAN_OPERATORS ".ftz<.f32>", "d:pred a:G2 b:G2 c:pred", setp_ftz_combined<false>,
       "9.7.6.2"},
      {"setp" FLOAT_OPERATORS BOOLEAN_OPERATORS ".ftz<.f32>", "d|e:pred a:G2 b:G2 c:pred", setp_ftz_combined<true>,
       "9.7.6.2"},
      SET_ROWS(SIGNED_OPERATORS, SIGNED_TYPES, SignedOperators, SignedTypes),
      SET_ROWS(UNSIGNED_OPERATORS, UNSIGNED_TYPES, UnsignedOperators, UnsignedTypes),
      SET_ROWS(EQUALITY_OPERATORS, BIT_TYPES, EqualityOperators, BitTypes),
      SET_ROWS(FLOAT_OPERATORS, FLOAT_TYPES, FloatOperators, FloatTypes),
      {"set" FLOAT_OPERATORS ".ftz" RESULTS "<.f32>", "d:G1 a:G2 b:G2", set_ftz<Plain, 1>, "9.7.6.1"},
      {"set" FLOAT_OPERATORS BOOLEAN_OPERATORS ".ftz" RESULTS "<.f32>", "d:G2 a:G3 b:G3 c:pred",
       by_choice<1, set_ftz<AndMask, 2>, set_ftz<OrMask, 2>, set_ftz<XorMask, 2>>, "9.7.6.1"},
      {"selp" SELECTED, "d:G0 a:G0 b:G0 c:pred",
       by_type<0, Selp, u16, u32, u64, u16, u32, u64, s16, s32, s64, f32, f64>, "9.7.6.3"},
      {"slct" SELECTED ".s32", "d:G0 a:G0 b:G0 c:s32",
       by_type<0, SlctOf<s32, false>, u16, u32, u64, u16, u32, u64, u16, u32, u64, u32, u64>, "9.7.6.4"},
      {"slct" SELECTED ".f32", "d:G0 a:G0 b:G0 c:f32",
       by_type<0, SlctOf<f32, false>, u16, u32, u64, u16, u32, u64, u16, u32, u64, u32, u64>, "9.7.6.4"},
      {"slct.ftz" SELECTED ".f32", "d:G0 a:G0 b:G0 c:f32",
       by_type<0, SlctOf<f32, true>, u16, u32, u64, u16, u32, u64, u16, u32, u64, u32, u64>, "9.7.6.4"},
      {"testp<.finite|.infinite|.number|.notanumber|.normal|.subnormal>" FLOAT_TYPES, "d:pred a:G1",
       by_choice<0, testp<Class::finite>, testp<Class::infinite>, testp<Class::number>, testp<Class::not_a_number>,
                 testp<Class::normal>, testp<Class::subnormal>>,
       "9.7.3.1"},
      {"copysign" FLOAT_TYPES, "d:G0 a:G0 b:G0", by_type<0, Binary<CopySign>, u32, u64>, "9.7.3.2"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
