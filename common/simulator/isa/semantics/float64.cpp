// SPDX-License-Identifier: MIT
// Double-precision arithmetic, correctly rounded in all four modes, and abs, neg, min, max. The payload of a NaN
// operand is kept (manual 9.7.3); which operand's, when several are NaN, is decided in number.h.
#include "isa/families.h"
#include "isa/semantics/number.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

struct Add {
  static f64 of(f64 a, f64 b) { return payload(a + b, a, b); }
};
struct Sub {
  static f64 of(f64 a, f64 b) { return payload(a - b, a, b); }
};
struct Mul {
  static f64 of(f64 a, f64 b) { return payload(a * b, a, b); }
};
struct Div {
  static f64 of(f64 a, f64 b) { return payload(a / b, b, a); }
};
struct Fma {
  static f64 of(f64 a, f64 b, f64 c) { return payload(__builtin_fma(a, b, c), a, c, b); }
};
struct Rcp {
  static f64 of(f64 a) { return payload(1.0 / a, a); }
};
struct Sqrt {
  static f64 of(f64 a) { return payload(__builtin_sqrt(a), a); }
};

// On hardware neg and abs are additions of -0: a NaN comes out quiet, with its sign (measured on an H200).
struct Neg {
  static f64 of(f64 a) { return is_nan(a) ? quiet(a) : -a; }
};
struct Abs {
  static f64 of(f64 a) { return is_nan(a) ? quiet(a) : __builtin_fabs(a); }
};

/// A number wins over NaN, -0 is less than +0, and of two NaN the second is returned, quiet (measured).
template <bool maximum>
struct Extreme {
  static f64 of(f64 a, f64 b) {
    const u64 bits_a = bits_as<u64>(a), bits_b = bits_as<u64>(b);
    const u64 equal = maximum ? bits_a & bits_b : bits_a | bits_b;  // differ at most in the sign of a zero
    const bool take_a = maximum ? a > b : a < b;
    const u64 number = a == b ? equal : take_a ? bits_a : bits_b;
    const u64 bits = is_nan(b) ? bits_a : number;
    return bits_as<f64>(((a != a) & (b != b)) ? bits_b | kQuietBitF64 : bits);
  }
};

template <class Op>
struct Double {
  template <Rounding m>
  struct One {
    static constexpr auto select = always<rounded_unary<m, Op, f64, f64>>;
  };
  template <Rounding m>
  struct Two {
    static constexpr auto select = always<rounded_binary<m, Op, f64>>;
  };
  template <Rounding m>
  struct Three {
    static constexpr auto select = always<rounded_ternary<m, Op, f64>>;
  };
};

#define ROUNDING "<.rn|.rz|.rm|.rp>"
#define OPTIONAL_ROUNDING "[.rn|.rz|.rm|.rp]"

}  // namespace

InstructionDefinitions float64_rows() {
  static const InstructionDefinition rows[] = {
      {"add" OPTIONAL_ROUNDING ".f64", "d:f64 a:f64 b:f64", by_rounding<0, Double<Add>::Two>, "9.7.3.3"},
      {"sub" OPTIONAL_ROUNDING ".f64", "d:f64 a:f64 b:f64", by_rounding<0, Double<Sub>::Two>, "9.7.3.4"},
      {"mul" OPTIONAL_ROUNDING ".f64", "d:f64 a:f64 b:f64", by_rounding<0, Double<Mul>::Two>, "9.7.3.5"},
      {"fma" ROUNDING ".f64", "d:f64 a:f64 b:f64 c:f64", by_rounding<0, Double<Fma>::Three>, "9.7.3.6"},
      {"mad" ROUNDING ".f64", "d:f64 a:f64 b:f64 c:f64", by_rounding<0, Double<Fma>::Three>, "9.7.3.7"},
      {"div" ROUNDING ".f64", "d:f64 a:f64 b:f64", by_rounding<0, Double<Div>::Two>, "9.7.3.8"},
      {"rcp" ROUNDING ".f64", "d:f64 a:f64", by_rounding<0, Double<Rcp>::One>, "9.7.3.13"},
      {"sqrt" ROUNDING ".f64", "d:f64 a:f64", by_rounding<0, Double<Sqrt>::One>, "9.7.3.15"},
      {"abs.f64", "d:f64 a:f64", always<unary<Abs, f64, f64>>, "9.7.3.9"},
      {"neg.f64", "d:f64 a:f64", always<unary<Neg, f64, f64>>, "9.7.3.10"},
      {"min.f64", "d:f64 a:f64 b:f64", always<binary<Extreme<false>, f64, f64, f64>>, "9.7.3.11"},
      {"max.f64", "d:f64 a:f64 b:f64", always<binary<Extreme<true>, f64, f64, f64>>, "9.7.3.12"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
