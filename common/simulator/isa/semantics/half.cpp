// SPDX-License-Identifier: MIT
// Arithmetic and comparison of 16-bit floating-point numbers, f16 and bf16, alone or in pairs. An operation is done in
// f64 and rounded once more. That is exact: whenever the f64 sum is itself rounded, the smaller operand is far below
// half a unit of the 16-bit result. A result that is NaN is always 0x7fff.
#include "isa/families.h"
#include "isa/semantics/comparison_parts.h"
#include "isa/semantics/conversion_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

// ---- one number ----------------------------------------------------------------------------------------------------

template <class T>
bool is_nan_16(T x) {
  return is_nan(widen(x));
}
template <class T>
T canonical_16(T x) {
  return is_nan_16(x) ? T{0x7fff} : x;
}
CUDASIM_INLINE f16 flush_16(f16 x) { return (x.bits & 0x7c00) == 0 ? f16{static_cast<u16>(x.bits & 0x8000)} : x; }
CUDASIM_INLINE bf16 flush_16(bf16 x) { return (x.bits & 0x7f80) == 0 ? bf16{static_cast<u16>(x.bits & 0x8000)} : x; }

struct Add {
  static f64 of(f64 a, f64 b) { return a + b; }
};
struct Sub {
  static f64 of(f64 a, f64 b) { return a - b; }
};
struct Mul {
  static f64 of(f64 a, f64 b) { return a * b; }
};
struct Fma {
  static f64 of(f64 a, f64 b, f64 c) { return a * b + c; }  // the product is exact
};

/// An operation on f64 as an operation on T, with .ftz before and after it, and .sat or .relu on its result.
template <class Op, bool ftz, After after>
struct Half {
  template <class T>
  static T finish(f64 exact) {
    T x = canonical_16(narrow<T>(exact));
    if constexpr (after == After::sat) x = narrow<T>(saturate(static_cast<f64>(widen(x))));
    // .relu clamps negative results to 0 and keeps NaN.
    if constexpr (after == After::relu) x = (x.bits & 0x8000) != 0 ? T{0} : x;
    if constexpr (ftz) x = flush_16(x);
    return x;
  }
  template <class T>
  static f64 in(T x) {
    if constexpr (ftz) x = flush_16(x);
    return static_cast<f64>(widen(x));
  }
  template <class T>
  static T of(T a, T b) {
    return finish<T>(Op::of(in(a), in(b)));
  }
  template <class T>
  static T of(T a, T b, T c) {
    return finish<T>(Op::of(in(a), in(b), in(c)));
  }
};

/// Sign operations make NaN canonical, like the additions of -0 that hardware uses for them.
template <u16 keep, u16 flip, bool ftz>
struct Sign {
  template <class T>
  static T of(T a) {
    if constexpr (ftz) a = flush_16(a);
    return is_nan_16(a) ? T{0x7fff} : T{static_cast<u16>((a.bits & keep) ^ flip)};
  }
};

template <bool maximum, bool nan, bool xorsign, bool ftz>
struct Extreme {
  template <class T>
  static T of(T a, T b) {
    if constexpr (ftz) a = flush_16(a);
    if constexpr (ftz) b = flush_16(b);
    const u16 sign = static_cast<u16>((a.bits ^ b.bits) & 0x8000);
    if constexpr (xorsign) a.bits &= 0x7fff;
    if constexpr (xorsign) b.bits &= 0x7fff;
    const bool nan_a = is_nan_16(a), nan_b = is_nan_16(b);
    if ((nan_a && nan_b) || (nan && (nan_a || nan_b))) return T{0x7fff};
    const f32 x = widen(a), y = widen(b);
    const bool negative_a = (a.bits & 0x8000) != 0;
    const bool a_is_less = x == y ? negative_a : x < y;  // -0 is less than +0
    T result = nan_b || (!nan_a && a_is_less != maximum) ? a : b;
    if constexpr (xorsign) result.bits = static_cast<u16>((result.bits & 0x7fff) | sign);
    return result;
  }
};

struct Exp2 {
  static f64 of(f64 a) { return __builtin_exp2(a); }
};
struct Tanh {
  static f64 of(f64 a) { return __builtin_tanh(a); }
};
template <class Op, bool ftz>
struct Approximate {
  template <class T>
  static T of(T a) {
    return Half<Op, ftz, After::nothing>::template finish<T>(Op::of(Half<Op, ftz, After::nothing>::in(a)));
  }
};

// ---- pairs ---------------------------------------------------------------------------------------------------------

template <class X2>
struct ElementOf;
template <>
struct ElementOf<f16x2> {
  using type = f16;
};
template <>
struct ElementOf<bf16x2> {
  using type = bf16;
};
template <class T, class X2>
T low(X2 x) {
  return T{static_cast<u16>(x.bits)};
}
template <class T, class X2>
T high(X2 x) {
  return T{static_cast<u16>(x.bits >> 16)};
}
/// A meaning of T as a meaning of two T.
template <class Op>
struct Pair {
  template <class X2, class... More>
  static X2 of(X2 a, More... more) {
    using T = typename ElementOf<X2>::type;
    const u32 first = Op::of(low<T>(a), low<T>(more)...).bits;
    const u32 second = Op::of(high<T>(a), high<T>(more)...).bits;
    return X2{first | (second << 16)};
  }
};

template <unsigned group, template <class> class Shape, class Op, class T, class X2>
Execute single_or_pair(const Match& match) {
  return choice_of(match, group) == 0 ? Shape<Op>::template execute<T>() : Shape<Pair<Op>>::template execute<X2>();
}

/// Groups [.rn][.ftz][.sat]<.f16|.f16x2>.
template <template <class> class Shape, class Op>
Execute f16_arithmetic(const Match& match) {
  constexpr Execute (*table[2][2])(const Match&) = {
      {single_or_pair<3, Shape, Half<Op, false, After::nothing>, f16, f16x2>,
       single_or_pair<3, Shape, Half<Op, false, After::sat>, f16, f16x2>},
      {single_or_pair<3, Shape, Half<Op, true, After::nothing>, f16, f16x2>,
       single_or_pair<3, Shape, Half<Op, true, After::sat>, f16, f16x2>},
  };
  return table[present(match, 1)][present(match, 2)](match);
}
/// Groups [.ftz]<.f16|.f16x2>.
template <template <bool> class Op>
Execute f16_unary(const Match& match) {
  return present(match, 0) ? single_or_pair<1, SlowUnary, Op<true>, f16, f16x2>(match)
                           : single_or_pair<1, SlowUnary, Op<false>, f16, f16x2>(match);
}
template <bool ftz>
using NegOf = Sign<0xffff, 0x8000, ftz>;
template <bool ftz>
using AbsOf = Sign<0x7fff, 0, ftz>;

/// Groups [.ftz][.NaN]<.f16|.f16x2> and [.NaN]<.bf16|.bf16x2>.
template <bool maximum, bool xorsign>
Execute f16_extreme(const Match& match) {
  constexpr Execute (*table[2][2])(const Match&) = {
      {single_or_pair<2, SlowBinary, Extreme<maximum, false, xorsign, false>, f16, f16x2>,
       single_or_pair<2, SlowBinary, Extreme<maximum, true, xorsign, false>, f16, f16x2>},
      {single_or_pair<2, SlowBinary, Extreme<maximum, false, xorsign, true>, f16, f16x2>,
       single_or_pair<2, SlowBinary, Extreme<maximum, true, xorsign, true>, f16, f16x2>},
  };
  return table[present(match, 0)][present(match, 1)](match);
}
template <bool maximum, bool xorsign>
Execute bf16_extreme(const Match& match) {
  return present(match, 0)
             ? single_or_pair<1, SlowBinary, Extreme<maximum, true, xorsign, false>, bf16, bf16x2>(match)
             : single_or_pair<1, SlowBinary, Extreme<maximum, false, xorsign, false>, bf16, bf16x2>(match);
}

// ---- comparison ----------------------------------------------------------------------------------------------------

template <class Op, bool ftz>
struct CompareHalf {
  template <class T>
  static bool of(T a, T b) {
    if constexpr (ftz) a = flush_16(a);
    if constexpr (ftz) b = flush_16(b);
    return Op::of(widen(a), widen(b));
  }
};
template <bool ftz, class Combine>
struct SetpHalf {
  template <class Op>
  struct With {
    template <class T>
    static constexpr Execute execute() {
      return set_predicates<CompareHalf<Op, ftz>, T, Combine, false>;
    }
  };
};
template <bool ftz, class Combine, unsigned type_group, class... T>
constexpr auto setp_half =
    Grid<0, type_group, SetpHalf<ftz, Combine>::template With, FloatOperators, Types<T...>>::select;
template <bool ftz, class... T>
constexpr auto setp_half_combined =
    by_choice<1, setp_half<ftz, AndMask, 2, T...>, setp_half<ftz, OrMask, 2, T...>, setp_half<ftz, XorMask, 2, T...>>;

/// setp on pairs: d compares the low halves, e the high halves.
template <class Op, bool ftz, class X2>
void set_predicate_of_each(std::byte* frame, const MicroOp& op, Mask mask) {
  using T = typename ElementOf<X2>::type;
  const auto* const a = slot<X2>(frame, op.a);
  const auto* const b = slot<X2>(frame, op.b);
  const Mask lows = mask_of_lanes<X2>(
      [=](unsigned i) { return CompareHalf<Op, ftz>::of(low<T>(decode<X2>(a[i])), low<T>(decode<X2>(b[i]))); });
  const Mask highs = mask_of_lanes<X2>(
      [=](unsigned i) { return CompareHalf<Op, ftz>::of(high<T>(decode<X2>(a[i])), high<T>(decode<X2>(b[i]))); });
  write_predicate(frame, op.d, mask, lows);
  write_predicate(frame, op.e, mask, highs);
}
template <bool ftz>
struct SetpPair {
  template <class Op>
  struct With {
    template <class X2>
    static constexpr Execute execute() {
      return set_predicate_of_each<Op, ftz, X2>;
    }
  };
};
template <bool ftz, class... X2>
constexpr auto setp_pair = Grid<0, 1, SetpPair<ftz>::template With, FloatOperators, Types<X2...>>::select;

/// set: 1 in the format of T, or all ones; `one` is the bit pattern for true.
template <class Op, bool ftz, u32 one>
struct SetHalf {
  template <class T>
  static u32 of(T a, T b) {
    return CompareHalf<Op, ftz>::of(a, b) ? one : 0;
  }
};
template <class Op, bool ftz, u32 one>
struct SetPair {
  template <class X2>
  static u32 of(X2 a, X2 b) {
    using T = typename ElementOf<X2>::type;
    const u32 first = CompareHalf<Op, ftz>::of(low<T>(a), low<T>(b)) ? one : 0;
    return first | (CompareHalf<Op, ftz>::of(high<T>(a), high<T>(b)) ? one << 16 : 0);
  }
};
template <bool ftz, u32 one, class T, template <class, bool, u32> class Meaning>
struct SetOf {
  template <class Op>
  struct With {
    template <class>
    static constexpr Execute execute() {
      return slow_binary<Meaning<Op, ftz, one>, u32, T, T>;
    }
  };
};
/// "set<operator>" and literal types.
template <bool ftz, u32 one, class T, template <class, bool, u32> class Meaning>
constexpr auto set_half = Grid<0, 11, SetOf<ftz, one, T, Meaning>::template With, FloatOperators, Types<void>>::select;

template <class Op>
constexpr auto bf16_binary = single_or_pair<1, SlowBinary, Half<Op, false, After::nothing>, bf16, bf16x2>;
template <template <class> class Shape, class Op>
constexpr auto bf16_plain = single_or_pair<0, Shape, Op, bf16, bf16x2>;

#define F16 "<.f16|.f16x2>"
#define BF16 "<.bf16|.bf16x2>"

}  // namespace

InstructionDefinitions half_rows() {
  static const InstructionDefinition rows[] = {
      {"add[.rn][.ftz][.sat]" F16, "d:G3 a:G3 b:G3", f16_arithmetic<SlowBinary, Add>, "9.7.4.1"},
      {"sub[.rn][.ftz][.sat]" F16, "d:G3 a:G3 b:G3", f16_arithmetic<SlowBinary, Sub>, "9.7.4.2"},
      {"mul[.rn][.ftz][.sat]" F16, "d:G3 a:G3 b:G3", f16_arithmetic<SlowBinary, Mul>, "9.7.4.3"},
      {"fma<.rn>[.ftz][.sat]" F16, "d:G3 a:G3 b:G3 c:G3", f16_arithmetic<SlowTernary, Fma>, "9.7.4.4"},
      {"fma.rn.relu" F16, "d:G0 a:G0 b:G0 c:G0",
       single_or_pair<0, SlowTernary, Half<Fma, false, After::relu>, f16, f16x2>, "9.7.4.4"},
      {"fma.rn.ftz.relu" F16, "d:G0 a:G0 b:G0 c:G0",
       single_or_pair<0, SlowTernary, Half<Fma, true, After::relu>, f16, f16x2>, "9.7.4.4"},
      {"add[.rn]" BF16, "d:G1 a:G1 b:G1", bf16_binary<Add>, "9.7.4.1"},
      {"sub[.rn]" BF16, "d:G1 a:G1 b:G1", bf16_binary<Sub>, "9.7.4.2"},
      {"mul[.rn]" BF16, "d:G1 a:G1 b:G1", bf16_binary<Mul>, "9.7.4.3"},
      {"fma.rn" BF16, "d:G0 a:G0 b:G0 c:G0", bf16_plain<SlowTernary, Half<Fma, false, After::nothing>>, "9.7.4.4"},
      {"fma.rn.relu" BF16, "d:G0 a:G0 b:G0 c:G0", bf16_plain<SlowTernary, Half<Fma, false, After::relu>>, "9.7.4.4"},
      {"neg[.ftz]" F16, "d:G1 a:G1", f16_unary<NegOf>, "9.7.4.5"},
      {"neg" BF16, "d:G0 a:G0", bf16_plain<SlowUnary, NegOf<false>>, "9.7.4.5"},
      {"abs[.ftz]" F16, "d:G1 a:G1", f16_unary<AbsOf>, "9.7.4.6"},
      {"abs" BF16, "d:G0 a:G0", bf16_plain<SlowUnary, AbsOf<false>>, "9.7.4.6"},
      {"min[.ftz][.NaN]" F16, "d:G2 a:G2 b:G2", f16_extreme<false, false>, "9.7.4.7"},
      {"min[.ftz][.NaN].xorsign.abs" F16, "d:G2 a:G2 b:G2", f16_extreme<false, true>, "9.7.4.7"},
      {"min[.NaN]" BF16, "d:G1 a:G1 b:G1", bf16_extreme<false, false>, "9.7.4.7"},
      {"min[.NaN].xorsign.abs" BF16, "d:G1 a:G1 b:G1", bf16_extreme<false, true>, "9.7.4.7"},
      {"max[.ftz][.NaN]" F16, "d:G2 a:G2 b:G2", f16_extreme<true, false>, "9.7.4.8"},
      {"max[.ftz][.NaN].xorsign.abs" F16, "d:G2 a:G2 b:G2", f16_extreme<true, true>, "9.7.4.8"},
      {"max[.NaN]" BF16, "d:G1 a:G1 b:G1", bf16_extreme<true, false>, "9.7.4.8"},
      {"max[.NaN].xorsign.abs" BF16, "d:G1 a:G1 b:G1", bf16_extreme<true, true>, "9.7.4.8"},
      {"tanh.approx" F16, "d:G0 a:G0", single_or_pair<0, SlowUnary, Approximate<Tanh, false>, f16, f16x2>, "9.7.4.9"},
      {"tanh.approx" BF16, "d:G0 a:G0", bf16_plain<SlowUnary, Approximate<Tanh, false>>, "9.7.4.9"},
      {"ex2.approx" F16, "d:G0 a:G0", single_or_pair<0, SlowUnary, Approximate<Exp2, false>, f16, f16x2>, "9.7.4.10"},
      {"ex2.approx.ftz" BF16, "d:G0 a:G0", bf16_plain<SlowUnary, Approximate<Exp2, true>>, "9.7.4.10"},
      {"setp" FLOAT_OPERATORS "<.f16|.bf16>", "d:pred a:G1 b:G1", setp_half<false, Plain, 1, f16, bf16>, "9.7.7.2"},
      {"setp" FLOAT_OPERATORS BOOLEAN_OPERATORS "<.f16|.bf16>", "d:pred a:G2 b:G2 c:pred",
       setp_half_combined<false, f16, bf16>, "9.7.7.2"},
      {"setp" FLOAT_OPERATORS ".ftz<.f16>", "d:pred a:G1 b:G1", setp_half<true, Plain, 1, f16>, "9.7.7.2"},
      {"setp" FLOAT_OPERATORS "<.f16x2|.bf16x2>", "d|e:pred a:G1 b:G1", setp_pair<false, f16x2, bf16x2>, "9.7.7.2"},
      {"setp" FLOAT_OPERATORS ".ftz<.f16x2>", "d|e:pred a:G1 b:G1", setp_pair<true, f16x2>, "9.7.7.2"},
      {"set" FLOAT_OPERATORS ".f16.f16", "d:f16 a:f16 b:f16", set_half<false, 0x3c00, f16, SetHalf>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".bf16.bf16", "d:bf16 a:bf16 b:bf16", set_half<false, 0x3f80, bf16, SetHalf>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".u16.f16", "d:u16 a:f16 b:f16", set_half<false, 0xffff, f16, SetHalf>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".u32.f16", "d:u32 a:f16 b:f16", set_half<false, 0xffffffff, f16, SetHalf>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".u32.bf16", "d:u32 a:bf16 b:bf16", set_half<false, 0xffffffff, bf16, SetHalf>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".f16x2.f16x2", "d:f16x2 a:f16x2 b:f16x2", set_half<false, 0x3c00, f16x2, SetPair>,
       "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".bf16x2.bf16x2", "d:bf16x2 a:bf16x2 b:bf16x2", set_half<false, 0x3f80, bf16x2, SetPair>,
       "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".u32.f16x2", "d:u32 a:f16x2 b:f16x2", set_half<false, 0xffff, f16x2, SetPair>, "9.7.7.1"},
      {"set" FLOAT_OPERATORS ".u32.bf16x2", "d:u32 a:bf16x2 b:bf16x2", set_half<false, 0xffff, bf16x2, SetPair>,
       "9.7.7.1"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
