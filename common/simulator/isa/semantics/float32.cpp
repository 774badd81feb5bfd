// SPDX-License-Identifier: MIT
// Single-precision arithmetic, correctly rounded in all four modes: add, sub, mul, fma, mad, div, rcp, sqrt; and abs,
// neg, min, max. A result that is NaN is always 0x7fffffff. The approximate forms are in special_functions.cpp.
#include "isa/families.h"
#include "isa/semantics/number.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

struct Add {
  static f32 of(f32 a, f32 b) { return a + b; }
};
struct Sub {
  static f32 of(f32 a, f32 b) { return a - b; }
};
struct Mul {
  static f32 of(f32 a, f32 b) { return a * b; }
};
struct Div {
  static f32 of(f32 a, f32 b) { return a / b; }
};
struct Fma {
  static f32 of(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
};
struct Rcp {
  static f32 of(f32 a) { return 1.0f / a; }
};
/// With .ftz, a reciprocal below the least normal number is a zero. This holds even where .rp or .rm would round it up
/// to that number (measured on an H200: rcp.rp.ftz of 7e800001).
struct FlushedRcp {
  static f32 of(f32 a) { return __builtin_fabsf(a) > 0x1p126f ? __builtin_copysignf(0.0f, a) : 1.0f / a; }
};
struct Sqrt {
  static f32 of(f32 a) { return __builtin_sqrtf(a); }
};
// neg and abs are additions of -0 on hardware, so they too make every NaN canonical.
struct Neg {
  static f32 of(f32 a) { return -a; }
};
struct Abs {
  static f32 of(f32 a) { return __builtin_fabsf(a); }
};

/// An operation with its .ftz and .sat.
template <class Op, bool ftz, bool sat>
struct Single {
  static f32 of(f32 a) { return finish<ftz, sat>(Op::of(flush_if<ftz>(a))); }
  static f32 of(f32 a, f32 b) { return finish<ftz, sat>(Op::of(flush_if<ftz>(a), flush_if<ftz>(b))); }
  static f32 of(f32 a, f32 b, f32 c) {
    return finish<ftz, sat>(Op::of(flush_if<ftz>(a), flush_if<ftz>(b), flush_if<ftz>(c)));
  }
};

template <Rounding mode, class Op>
constexpr Execute one = rounded_unary<mode, Op, f32, f32>;
template <Rounding mode, class Op>
constexpr Execute two = rounded_binary<mode, Op, f32>;
template <Rounding mode, class Op>
constexpr Execute three = rounded_ternary<mode, Op, f32>;

/// Picks among the four meanings by the groups [.ftz] and [.sat].
template <unsigned ftz_group, Execute plain, Execute sat, Execute ftz, Execute ftz_sat>
Execute by_ftz_sat(const Match& match) {
  if (present(match, ftz_group)) return present(match, ftz_group + 1) ? ftz_sat : ftz;
  return present(match, ftz_group + 1) ? sat : plain;
}

// Patterns "[rounding][.ftz][.sat]" for two and three operands, "[rounding][.ftz]" for the others.
template <class Op>
struct WithSat {
  template <Rounding m>
  struct Two {
    static constexpr auto select = by_ftz_sat<1, two<m, Single<Op, false, false>>, two<m, Single<Op, false, true>>,
                                              two<m, Single<Op, true, false>>, two<m, Single<Op, true, true>>>;
  };
  template <Rounding m>
  struct Three {
    static constexpr auto select = by_ftz_sat<1, three<m, Single<Op, false, false>>, three<m, Single<Op, false, true>>,
                                              three<m, Single<Op, true, false>>, three<m, Single<Op, true, true>>>;
  };
};
template <unsigned ftz_group, Execute plain, Execute ftz>
Execute by_ftz(const Match& match) {
  return present(match, ftz_group) ? ftz : plain;
}
template <class Op, class FlushedOp = Op>
struct WithFtz {
  template <Rounding m>
  struct One {
    static constexpr auto select = by_ftz<1, one<m, Single<Op, false, false>>, one<m, Single<FlushedOp, true, false>>>;
  };
  template <Rounding m>
  struct Two {
    static constexpr auto select = by_ftz<1, two<m, Single<Op, false, false>>, two<m, Single<Op, true, false>>>;
  };
};
template <class Op>
constexpr auto sign_operation =
    by_ftz<0, unary<Single<Op, false, false>, f32, f32>, unary<Single<Op, true, false>, f32, f32>>;

/// min and max: a number wins over NaN unless .NaN is written, and -0 is less than +0.
template <bool maximum, bool nan, bool xorsign>
struct Extreme {
  static f32 of(f32 a, f32 b) {
    const u32 sign = (bits_as<u32>(a) ^ bits_as<u32>(b)) & kSignBit32;
    if constexpr (xorsign) a = __builtin_fabsf(a);
    if constexpr (xorsign) b = __builtin_fabsf(b);
    const u32 bits_a = bits_as<u32>(a), bits_b = bits_as<u32>(b);
    const u32 equal = maximum ? bits_a & bits_b : bits_a | bits_b;  // differ at most in the sign of a zero
    const bool take_a = maximum ? a > b : a < b;
    u32 bits = a == b ? equal : take_a ? bits_a : bits_b;
    if constexpr (!nan) bits = is_nan(b) ? bits_a : bits;
    if constexpr (nan) bits = ((a != a) | (b != b)) ? kNanBitsF32 : bits;
    if constexpr (xorsign) bits = (bits & ~kSignBit32) | sign;
    return bits_as<f32>(bits);  // Single makes a NaN canonical
  }
};
/// Groups: [.ftz][.NaN][.xorsign.abs], the last as two tokens.
template <bool maximum, bool xorsign>
Execute extreme(const Match& match) {
  constexpr Execute kTable[2][2] = {
      {binary<Single<Extreme<maximum, false, xorsign>, false, false>, f32, f32, f32>,
       binary<Single<Extreme<maximum, true, xorsign>, false, false>, f32, f32, f32>},
      {binary<Single<Extreme<maximum, false, xorsign>, true, false>, f32, f32, f32>,
       binary<Single<Extreme<maximum, true, xorsign>, true, false>, f32, f32, f32>},
  };
  return kTable[present(match, 0)][present(match, 1)];
}

#define ROUNDING "<.rn|.rz|.rm|.rp>"
#define OPTIONAL_ROUNDING "[.rn|.rz|.rm|.rp]"

}  // namespace

InstructionDefinitions float32_rows() {
  static const InstructionDefinition rows[] = {
      {"add" OPTIONAL_ROUNDING "[.ftz][.sat].f32", "d:f32 a:f32 b:f32", by_rounding<0, WithSat<Add>::Two>, "9.7.3.3"},
      {"sub" OPTIONAL_ROUNDING "[.ftz][.sat].f32", "d:f32 a:f32 b:f32", by_rounding<0, WithSat<Sub>::Two>, "9.7.3.4"},
      {"mul" OPTIONAL_ROUNDING "[.ftz][.sat].f32", "d:f32 a:f32 b:f32", by_rounding<0, WithSat<Mul>::Two>, "9.7.3.5"},
      {"fma" ROUNDING "[.ftz][.sat].f32", "d:f32 a:f32 b:f32 c:f32", by_rounding<0, WithSat<Fma>::Three>, "9.7.3.6"},
      {"mad" ROUNDING "[.ftz][.sat].f32", "d:f32 a:f32 b:f32 c:f32", by_rounding<0, WithSat<Fma>::Three>, "9.7.3.7"},
      {"div" ROUNDING "[.ftz].f32", "d:f32 a:f32 b:f32", by_rounding<0, WithFtz<Div>::Two>, "9.7.3.8"},
      {"rcp" ROUNDING "[.ftz].f32", "d:f32 a:f32", by_rounding<0, WithFtz<Rcp, FlushedRcp>::One>, "9.7.3.13"},
      {"sqrt" ROUNDING "[.ftz].f32", "d:f32 a:f32", by_rounding<0, WithFtz<Sqrt>::One>, "9.7.3.15"},
      {"abs[.ftz].f32", "d:f32 a:f32", sign_operation<Abs>, "9.7.3.9"},
      {"neg[.ftz].f32", "d:f32 a:f32", sign_operation<Neg>, "9.7.3.10"},
      {"min[.ftz][.NaN].f32", "d:f32 a:f32 b:f32", extreme<false, false>, "9.7.3.11"},
      {"min[.ftz][.NaN].xorsign.abs.f32", "d:f32 a:f32 b:f32", extreme<false, true>, "9.7.3.11"},
      {"max[.ftz][.NaN].f32", "d:f32 a:f32 b:f32", extreme<true, false>, "9.7.3.12"},
      {"max[.ftz][.NaN].xorsign.abs.f32", "d:f32 a:f32 b:f32", extreme<true, true>, "9.7.3.12"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
