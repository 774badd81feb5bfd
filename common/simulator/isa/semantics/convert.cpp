// SPDX-License-Identifier: MIT
// cvt: every pair of integer and floating-point types, with rounding, saturation and .ftz, and the small formats of
// small_floats.h.
// A result narrower than 32 bits fills the 32 bits of its slot: sign-extended for a signed type, else zero-extended.
#include "isa/families.h"
#include "isa/semantics/conversion_parts.h"
#include "isa/semantics/small_floats.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

/// What a result of type D is stored as: at least 32 bits, so that s8 and s16 are sign-extended.
template <class D>
using Stored = std::conditional_t<std::is_signed_v<D> && sizeof(D) < 4, s32, D>;

template <class T>
constexpr bool kIsSignedInteger = std::is_integral_v<T> ? std::is_signed_v<T> : false;
template <class D>
constexpr D kHighest = static_cast<D>(kIsSignedInteger<D> ? (Bits<D>(~Bits<D>{0}) >> 1) : Bits<D>(~Bits<D>{0}));
template <class D>
constexpr D kLowest = kIsSignedInteger<D> ? static_cast<D>(-kHighest<D> - 1) : D{0};

// ---- integer to integer --------------------------------------------------------------------------------------------

template <class D, bool sat>
struct IntegerToInteger {
  template <class A>
  static D of(A a) {
    if constexpr (!sat) {
      return static_cast<D>(a);
    } else {
      if constexpr (kIsSignedInteger<A>) {
        if (s64{a} < static_cast<s64>(kLowest<D>)) return kLowest<D>;
        if (a < 0) return static_cast<D>(a);
      }
      return static_cast<u64>(a) > static_cast<u64>(kHighest<D>) ? kHighest<D> : static_cast<D>(a);
    }
  }
};

// ---- floating point to integer -------------------------------------------------------------------------------------

/// What NaN becomes (manual, cvt): 0, but the highest bit of the result alone when the source is f64 or the
/// destination has 64 bits.
template <class D, class F>
constexpr D kNanAsInteger = sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(Bits<D>{1} << (8 * sizeof(D) - 1)) : D{0};

template <class D, Integral mode, bool ftz>
struct FloatToInteger {
  template <class A>
  static D of(A a) {
    auto x = widen(a);
    using F = decltype(x);
    if constexpr (ftz) x = flush(x);
    // A conversion of C++ truncates, so .rzi needs no step of its own.
    if constexpr (mode != Integral::zero) x = to_integral<mode>(x);
    // 2^bits and -2^bits are exact in F, the limits themselves need not be.
    constexpr F kAbove = static_cast<F>(kHighest<D> / 2 + 1) * 2, kBelow = static_cast<F>(kLowest<D>);
    const bool inside = (x >= kBelow) & (x < kAbove);
    using Through = std::conditional_t<sizeof(D) < 4, s32, D>;
    D result = static_cast<D>(static_cast<Through>(inside ? x : F{0}));
    result = x >= kAbove ? kHighest<D> : result;
    result = x < kBelow ? kLowest<D> : result;
    return x != x ? kNanAsInteger<D, F> : result;
  }
};

// ---- integer to floating point -------------------------------------------------------------------------------------

template <class D, Rounding mode, bool sat>
struct IntegerToFloat {
  template <class A>
  static D of(A a) {
    if constexpr (sat) return IntegerToFloat<D, mode, false>::template of<u8>(a > 0);  // 0 or 1: all there is
    if constexpr (mode == Rounding::nearest && std::is_floating_point_v<D>) return static_cast<D>(a);
    return from_integer<D>(a, mode);
  }
};

// ---- shapes and select functions -----------------------------------------------------------------------------------

/// The conversions that programs run often are vectorised; the others are small and do active lanes only.
template <bool often, class Op, class D, class A>
constexpr Execute convert_lanes() {
  if constexpr (often) {
    return unary<Op, D, A>;
  } else {
    return slow_unary<Op, D, A>;
  }
}
template <bool sat>
struct AmongIntegers {
  template <class D>
  struct With {
    template <class A>
    static constexpr Execute execute() {
      return convert_lanes<!sat, IntegerToInteger<D, sat>, Stored<D>, A>();
    }
  };
};
template <Integral mode, bool ftz>
struct ToInteger {
  template <class D>
  struct With {
    template <class A>
    static constexpr Execute execute() {
      constexpr bool kOften = sizeof(D) >= 4 && sizeof(A) >= 4;
      return convert_lanes<kOften, FloatToInteger<D, mode, ftz>, Stored<D>, A>();
    }
  };
};
template <Rounding mode, bool sat>
struct FromInteger {
  template <class D>
  struct With {
    template <class A>
    static constexpr Execute execute() {
      constexpr bool kOften = mode == Rounding::nearest && !sat && sizeof(D) >= 4;
      return convert_lanes<kOften, IntegerToFloat<D, mode, sat>, D, A>();
    }
  };
};

/// Group `group` chooses among shapes for destinations, group + 1 among sources.
template <unsigned group, template <class> class With, class... A>
struct From {
  template <class... D>
  struct To {
    static constexpr auto select = by_choice<group, by_type<group + 1, With<D>, A...>...>;
  };
};
#define INTEGERS u8, u16, u32, u64, s8, s16, s32, s64

/// cvt[.sat]<integer><integer>
Execute integer_to_integer(const Match& match) {
  constexpr auto kPlain = From<1, AmongIntegers<false>::With, INTEGERS>::To<INTEGERS>::select;
  constexpr auto kSat = From<1, AmongIntegers<true>::With, INTEGERS>::To<INTEGERS>::select;
  return present(match, 0) ? kSat(match) : kPlain(match);
}
/// cvt<rounding>[.sat]<integer><float>; .sat changes nothing, since the result is clamped anyway.
template <bool ftz, class... A>
constexpr auto float_to_integer =
    by_choice<0, From<2, ToInteger<Integral::nearest, ftz>::template With, A...>::template To<INTEGERS>::select,
              From<2, ToInteger<Integral::zero, ftz>::template With, A...>::template To<INTEGERS>::select,
              From<2, ToInteger<Integral::minus, ftz>::template With, A...>::template To<INTEGERS>::select,
              From<2, ToInteger<Integral::plus, ftz>::template With, A...>::template To<INTEGERS>::select>;
/// cvt<rounding>[.sat]<float><integer>. With .sat only 0 and 1 are left, whichever way a number is rounded.
template <Rounding mode, bool sat = false>
constexpr auto integer_to_float_in =
    From<2, FromInteger<mode, sat>::template With, INTEGERS>::template To<f16, bf16, f32, f64>::select;
Execute integer_to_float(const Match& match) {
  if (present(match, 1)) return integer_to_float_in<Rounding::nearest, true>(match);
  constexpr auto kPlain = by_choice<0, integer_to_float_in<Rounding::nearest>, integer_to_float_in<Rounding::zero>,
                                    integer_to_float_in<Rounding::minus>, integer_to_float_in<Rounding::plus>>;
  return kPlain(match);
}

/// cvt[.ftz][.sat] to a wider format: exact.
template <class D, class A>
Execute widening(const Match& match) {
  constexpr Execute kTable[2][2] = {{unary<FloatToFloat<D, Rounding::nearest, false, After::nothing>, D, A>,
                                     unary<FloatToFloat<D, Rounding::nearest, false, After::sat>, D, A>},
                                    {unary<FloatToFloat<D, Rounding::nearest, true, After::nothing>, D, A>,
                                     unary<FloatToFloat<D, Rounding::nearest, true, After::sat>, D, A>}};
  return kTable[present(match, 0)][present(match, 1)];
}
/// cvt[.sat]: the other wider formats take no .ftz.
template <class D, class A>
Execute widening_sat(const Match& match) {
  return present(match, 0) ? unary<FloatToFloat<D, Rounding::nearest, false, After::sat>, D, A>
                           : unary<FloatToFloat<D, Rounding::nearest, false, After::nothing>, D, A>;
}
/// cvt<rounding>[.ftz][.sat] to a narrower format, and cvt<rounding>[.sat].
template <class D, class A>
struct Narrowing {
  template <Rounding mode>
  struct In {
    static Execute select(const Match& match) {
      constexpr Execute kTable[2][2] = {{convert<false, After::nothing>(), convert<false, After::sat>()},
                                        {convert<true, After::nothing>(), convert<true, After::sat>()}};
      return kTable[present(match, 1)][present(match, 2)];
    }
    static Execute select_sat(const Match& match) {
      return present(match, 1) ? convert<false, After::sat>() : convert<false, After::nothing>();
    }
    template <bool ftz, After after>
    static constexpr Execute convert() {
      constexpr bool kOften = mode == Rounding::nearest && std::is_same_v<D, f32>;
      return convert_lanes<kOften, FloatToFloat<D, mode, ftz, after>, D, A>();
    }
  };
};
template <class D, class A>
struct NarrowingSat {
  template <Rounding mode>
  struct In {
    static constexpr auto select = Narrowing<D, A>::template In<mode>::select_sat;
  };
};
template <class D, class A>
constexpr auto narrowing_sat = by_rounding<0, NarrowingSat<D, A>::template In>;
template <class D, class A>
constexpr auto narrowing = by_rounding<0, Narrowing<D, A>::template In>;
/// cvt<.rn|.rz>.relu
template <class D, class A>
constexpr auto narrowing_relu =
    by_choice<0, always<slow_unary<FloatToFloat<D, Rounding::nearest, false, After::relu>, D, A>>,
              always<slow_unary<FloatToFloat<D, Rounding::zero, false, After::relu>, D, A>>>;
/// cvt<.rn|.rz>[.relu] of two f32
template <class T, class X2, Rounding mode>
Execute pack_halves_in(const Match& match) {
  return present(match, 1) ? slow_binary<PackHalves<T, X2, mode, After::relu>, u32, f32, f32>
                           : slow_binary<PackHalves<T, X2, mode, After::nothing>, u32, f32, f32>;
}
template <class T, class X2>
constexpr auto pack_halves =
    by_choice<0, pack_halves_in<T, X2, Rounding::nearest>, pack_halves_in<T, X2, Rounding::zero>>;

/// cvt<.rni|.rzi|.rmi|.rpi>[.ftz][.sat], same format; and without rounding.
template <class T, Integral mode>
Execute rounded_in(const Match& match) {
  constexpr Execute kTable[2][2] = {
      {unary<SameFormat<mode, true, false, false>, T, T>, unary<SameFormat<mode, true, false, true>, T, T>},
      {unary<SameFormat<mode, true, true, false>, T, T>, unary<SameFormat<mode, true, true, true>, T, T>}};
  return kTable[present(match, 1)][present(match, 2)];
}
template <class T>
constexpr auto rounded = by_choice<0, rounded_in<T, Integral::nearest>, rounded_in<T, Integral::zero>,
                                   rounded_in<T, Integral::minus>, rounded_in<T, Integral::plus>>;
/// bf16 takes neither .ftz nor .sat.
template <class T>
constexpr auto rounded_plain = by_choice<0, always<unary<SameFormat<Integral::nearest, true, false, false>, T, T>>,
                                         always<unary<SameFormat<Integral::zero, true, false, false>, T, T>>,
                                         always<unary<SameFormat<Integral::minus, true, false, false>, T, T>>,
                                         always<unary<SameFormat<Integral::plus, true, false, false>, T, T>>>;
template <class T>
Execute unrounded(const Match& match) {
  constexpr Execute kTable[2][2] = {{unary<SameFormat<Integral::zero, false, false, false>, T, T>,
                                     unary<SameFormat<Integral::zero, false, false, true>, T, T>},
                                    {unary<SameFormat<Integral::zero, false, true, false>, T, T>,
                                     unary<SameFormat<Integral::zero, false, true, true>, T, T>}};
  return kTable[present(match, 0)][present(match, 1)];
}

Execute to_tf32(const Match& match) {
  constexpr Execute kTable[2][2] = {
      {unary<RoundedTf32<true, false>, u32, f32>, unary<RoundedTf32<true, true>, u32, f32>},
      {unary<RoundedTf32<false, false>, u32, f32>, unary<RoundedTf32<false, true>, u32, f32>}};
  return kTable[match.choice[0]][present(match, 1)];
}

/// cvt.rn.satfinite[.relu] of two numbers to two small ones: of two f32, of a pair of f16; and cvt.rn[.relu] back.
template <class T, class... A>
Execute pack_small(const Match& match) {
  using D = PairOf<T>;
  if constexpr (sizeof...(A) == 2) {
    return present(match, 0) ? slow_binary<PackSmallFloats<T, true>, D, A...>
                             : slow_binary<PackSmallFloats<T, false>, D, A...>;
  } else {
    return present(match, 0) ? slow_unary<PackSmallFloats<T, true>, D, A...>
                             : slow_unary<PackSmallFloats<T, false>, D, A...>;
  }
}
template <class T>
Execute unpack_small(const Match& match) {
  return present(match, 0) ? slow_unary<UnpackSmallFloats<T, true>, u32, PairOf<T>>
                           : slow_unary<UnpackSmallFloats<T, false>, u32, PairOf<T>>;
}
/// cvt<.rz|.rp>[.satfinite] of two numbers to two exponents.
template <class... A>
Execute pack_exponents(const Match& match) {
  constexpr auto kShape = [](auto op) {
    using Op = decltype(op);
    if constexpr (sizeof...(A) == 2) {
      return Execute{slow_binary<Op, u16, A...>};
    } else {
      return Execute{slow_unary<Op, u16, A...>};
    }
  };
  constexpr Execute kTable[2][2] = {{kShape(PackExponents<false, false>{}), kShape(PackExponents<false, true>{})},
                                    {kShape(PackExponents<true, false>{}), kShape(PackExponents<true, true>{})}};
  return kTable[choice_of(match, 0)][present(match, 1)];
}

#define INTEGER "<.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64>"
#define INTEGRAL "<.rni|.rzi|.rmi|.rpi>"
#define ROUNDING "<.rn|.rz|.rm|.rp>"
#define EIGHTS "<.e4m3x2|.e5m2x2>"
#define SIXES "<.e2m3x2|.e3m2x2>"

}  // namespace

InstructionDefinitions convert_rows() {
  static const InstructionDefinition rows[] = {
      {"cvt[.sat]" INTEGER INTEGER, "d:G1 a:G2", integer_to_integer, "9.7.9.21"},
      {"cvt" INTEGRAL "[.sat]" INTEGER "<.f32|.f64|.f16|.bf16>", "d:G2 a:G3",
       float_to_integer<false, f32, f64, f16, bf16>, "9.7.9.21"},
      {"cvt" INTEGRAL ".ftz[.sat]" INTEGER "<.f32>", "d:G2 a:G3", float_to_integer<true, f32>, "9.7.9.21"},
      {"cvt" ROUNDING "[.sat]<.f16|.bf16|.f32|.f64>" INTEGER, "d:G2 a:G3", integer_to_float, "9.7.9.21"},
      {"cvt[.ftz][.sat].f32.f16", "d:f32 a:f16", widening<f32, f16>, "9.7.9.21"},
      {"cvt[.ftz][.sat].f32.bf16", "d:f32 a:bf16", widening<f32, bf16>, "9.7.9.21"},
      {"cvt[.sat].f64.f16", "d:f64 a:f16", widening_sat<f64, f16>, "9.7.9.21"},
      {"cvt[.sat].f64.bf16", "d:f64 a:bf16", widening_sat<f64, bf16>, "9.7.9.21"},
      {"cvt[.ftz][.sat].f64.f32", "d:f64 a:f32", widening<f64, f32>, "9.7.9.21"},
      {"cvt" ROUNDING "[.ftz][.sat].f32.f64", "d:f32 a:f64", narrowing<f32, f64>, "9.7.9.21"},
      {"cvt" ROUNDING "[.ftz][.sat].f16.f32", "d:f16 a:f32", narrowing<f16, f32>, "9.7.9.21"},
      {"cvt" ROUNDING "[.sat].f16.f64", "d:f16 a:f64", narrowing_sat<f16, f64>, "9.7.9.21"},
      {"cvt" ROUNDING "[.sat].f16.bf16", "d:f16 a:bf16", narrowing_sat<f16, bf16>, "9.7.9.21"},
      {"cvt" ROUNDING "[.ftz][.sat].bf16.f32", "d:bf16 a:f32", narrowing<bf16, f32>, "9.7.9.21"},
      {"cvt" ROUNDING "[.sat].bf16.f64", "d:bf16 a:f64", narrowing_sat<bf16, f64>, "9.7.9.21"},
      {"cvt" ROUNDING "[.sat].bf16.f16", "d:bf16 a:f16", narrowing_sat<bf16, f16>, "9.7.9.21"},
      {"cvt<.rn|.rz>.relu.f16.f32", "d:f16 a:f32", narrowing_relu<f16, f32>, "9.7.9.21"},
      {"cvt<.rn|.rz>.relu.bf16.f32", "d:bf16 a:f32", narrowing_relu<bf16, f32>, "9.7.9.21"},
      {"cvt<.rn|.rz>[.relu].f16x2.f32", "d:f16x2 a:f32 b:f32", pack_halves<f16, f16x2>, "9.7.9.21"},
      {"cvt<.rn|.rz>[.relu].bf16x2.f32", "d:bf16x2 a:f32 b:f32", pack_halves<bf16, bf16x2>, "9.7.9.21"},
      {"cvt.rn.satfinite[.relu]" EIGHTS ".f32", "d:b16 a:f32 b:f32",
       by_choice<1, pack_small<e4m3, f32, f32>, pack_small<e5m2, f32, f32>>, "9.7.9.21"},
      {"cvt.rn.satfinite[.relu]" EIGHTS ".f16x2", "d:b16 a:f16x2",
       by_choice<1, pack_small<e4m3, f16x2>, pack_small<e5m2, f16x2>>, "9.7.9.21"},
      {"cvt.rn[.relu].f16x2" EIGHTS, "d:f16x2 a:b16", by_choice<1, unpack_small<e4m3>, unpack_small<e5m2>>, "9.7.9.21"},
      {"cvt.rn.satfinite[.relu]" SIXES ".f32", "d:b16 a:f32 b:f32",
       by_choice<1, pack_small<e2m3, f32, f32>, pack_small<e3m2, f32, f32>>, "9.7.9.21"},
      {"cvt.rn[.relu].f16x2" SIXES, "d:f16x2 a:b16", by_choice<1, unpack_small<e2m3>, unpack_small<e3m2>>, "9.7.9.21"},
      {"cvt.rn.satfinite[.relu].e2m1x2.f32", "d:b8 a:f32 b:f32", pack_small<e2m1, f32, f32>, "9.7.9.21"},
      {"cvt.rn.satfinite[.relu].e2m1x2.f16x2", "d:b8 a:f16x2", pack_small<e2m1, f16x2>, "9.7.9.21"},
      {"cvt.rn[.relu].f16x2.e2m1x2", "d:f16x2 a:b8", unpack_small<e2m1>, "9.7.9.21"},
      {"cvt<.rz|.rp>[.satfinite].ue8m0x2.f32", "d:b16 a:f32 b:f32", pack_exponents<f32, f32>, "9.7.9.21"},
      {"cvt<.rz|.rp>[.satfinite].ue8m0x2.bf16x2", "d:b16 a:bf16x2", pack_exponents<bf16x2>, "9.7.9.21"},
      {"cvt.rn.bf16x2.ue8m0x2", "d:bf16x2 a:b16", always<slow_unary<UnpackExponents, u32, u16>>, "9.7.9.21"},
      {"cvt.rna.tf32.f32", "d:b32 a:f32", always<unary<ToTf32, u32, f32>>, "9.7.9.21"},
      {"cvt<.rn|.rz>[.relu].tf32.f32", "d:b32 a:f32", to_tf32, "9.7.9.21"},
      {"cvt" INTEGRAL "[.ftz][.sat].f32.f32", "d:f32 a:f32", rounded<f32>, "9.7.9.21"},
      {"cvt" INTEGRAL "[.ftz][.sat].f64.f64", "d:f64 a:f64", rounded<f64>, "9.7.9.21"},
      {"cvt" INTEGRAL "[.ftz][.sat].f16.f16", "d:f16 a:f16", rounded<f16>, "9.7.9.21"},
      {"cvt" INTEGRAL ".bf16.bf16", "d:bf16 a:bf16", rounded_plain<bf16>, "9.7.9.21"},
      {"cvt[.ftz][.sat].f32.f32", "d:f32 a:f32", unrounded<f32>, "9.7.9.21"},
      {"cvt[.ftz][.sat].f64.f64", "d:f64 a:f64", unrounded<f64>, "9.7.9.21"},
      {"cvt[.ftz][.sat].f16.f16", "d:f16 a:f16", unrounded<f16>, "9.7.9.21"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
