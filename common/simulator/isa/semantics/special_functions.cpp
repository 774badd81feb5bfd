// SPDX-License-Identifier: MIT
// Approximate functions: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh and the fast divisions. Hardware computes them with
// a table (MUFU) between scalings that ptxas writes out. Here the scalings are done step by step, so special values,
// subnormals and huge operands behave alike. The correctly rounded value (by way of f64) stands for the table. The last
// bits of a result may differ from a GPU's within the bounds that the manual states.
#include "isa/families.h"
#include "isa/semantics/number.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {
namespace {

constexpr f32 kSmallestNormal = 1.17549435e-38f;  // 2^-126
constexpr f32 kTwoTo24 = 16777216.0f;

// ---- the table functions: operands and results that are subnormal count as zero -------------------------------------

CUDASIM_INLINE f32 mufu(f64 exact) { return flush(canonical(static_cast<f32>(exact))); }
f32 mufu_rcp(f32 x) { return mufu(1.0 / static_cast<f64>(flush(x))); }
f32 mufu_sqrt(f32 x) { return mufu(__builtin_sqrt(static_cast<f64>(flush(x)))); }
f32 mufu_rsqrt(f32 x) { return mufu(1.0 / __builtin_sqrt(static_cast<f64>(flush(x)))); }
f32 mufu_lg2(f32 x) { return mufu(__builtin_log2(static_cast<f64>(flush(x)))); }
f32 mufu_ex2(f32 x) { return mufu(__builtin_exp2(static_cast<f64>(flush(x)))); }
f32 mufu_tanh(f32 x) { return canonical(static_cast<f32>(__builtin_tanh(static_cast<f64>(x)))); }
/// sin and cos take the angle in turns; the whole turns are dropped exactly before the function is computed.
f64 turns_to_radians(f32 turns) {
  const f64 x = static_cast<f64>(turns);
  const f64 part = x - __builtin_rint(x);
  return (part == 0 ? __builtin_copysign(0.0, x) : part) * 6.283185307179586476925;
}
f32 mufu_sin(f32 turns) { return mufu(__builtin_sin(turns_to_radians(turns))); }
f32 mufu_cos(f32 turns) { return mufu(__builtin_cos(turns_to_radians(turns))); }

/// x / (2 pi) as hardware does it: an f32 product rounded towards zero.
f32 to_turns(f32 x) {
  const f64 exact = static_cast<f64>(x) * static_cast<f64>(0.15915494f);  // 48 bits: exact
  const f32 nearest = static_cast<f32>(exact);
  const bool too_far = __builtin_fabs(static_cast<f64>(nearest)) > __builtin_fabs(exact);
  return too_far ? bits_as<f32>(bits_as<u32>(nearest) - 1) : nearest;
}

// ---- the instructions ----------------------------------------------------------------------------------------------

template <bool ftz>
struct Rcp {
  static f32 of(f32 x) {
    if constexpr (ftz) return mufu_rcp(x);
    const f32 magnitude = __builtin_fabsf(x);
    const f32 scale = magnitude < kSmallestNormal ? kTwoTo24 : magnitude > 8.50705917e37f ? 0.25f : 1.0f;
    return canonical(scale * mufu_rcp(x * scale));
  }
};
template <bool ftz>
struct Sqrt {
  static f32 of(f32 x) {
    if constexpr (ftz) return mufu_sqrt(x);
    const bool tiny = __builtin_fabsf(x) < kSmallestNormal;
    return canonical(mufu_sqrt(tiny ? x * kTwoTo24 : x) * (tiny ? 1.0f / 4096.0f : 1.0f));
  }
};
template <bool ftz>
struct Rsqrt {
  static f32 of(f32 x) {
    if constexpr (ftz) return mufu_rsqrt(x);
    const bool tiny = __builtin_fabsf(x) < kSmallestNormal;
    return canonical(mufu_rsqrt(tiny ? x * kTwoTo24 : x) * (tiny ? 4096.0f : 1.0f));
  }
};
template <bool ftz>
struct Sin {
  static f32 of(f32 x) { return mufu_sin(to_turns(flush_if<ftz>(x))); }
};
template <bool ftz>
struct Cos {
  static f32 of(f32 x) { return mufu_cos(to_turns(flush_if<ftz>(x))); }
};
template <bool ftz>
struct Lg2 {
  static f32 of(f32 x) {
    if constexpr (ftz) return mufu_lg2(x);
    const bool tiny = __builtin_fabsf(x) < kSmallestNormal;
    return canonical(mufu_lg2(tiny ? x * kTwoTo24 : x) - (tiny ? 24.0f : 0.0f));
  }
};
template <bool ftz>
struct Ex2 {
  static f32 of(f32 x) {
    if constexpr (ftz) return mufu_ex2(x);
    if (!(x < -126.0f)) return mufu_ex2(x);
    const f32 root = mufu_ex2(x * 0.5f);
    return root * root;
  }
};
struct Tanh {
  static f32 of(f32 x) { return mufu_tanh(x); }
};

template <bool ftz>
struct DivApprox {
  static f32 of(f32 a, f32 b) {
    if constexpr (ftz) return flush(canonical(flush(a) * mufu_rcp(b)));
    const bool tiny = __builtin_fabsf(b) < kSmallestNormal;
    if (tiny) a *= kTwoTo24;
    if (tiny) b *= kTwoTo24;
    return canonical(mufu_rcp(b) * a);
  }
};
template <bool ftz>
struct DivFull {
  static f32 of(f32 a, f32 b) {
    a = flush_if<ftz>(a);
    b = flush_if<ftz>(b);
    const bool huge = __builtin_fabsf(b) > 8.50705917e37f, tiny = !ftz && __builtin_fabsf(b) < kSmallestNormal;
    const f32 scale = huge ? 0.25f : tiny ? kTwoTo24 : 1.0f;
    return flush_if<ftz>(canonical(mufu_rcp(flush_if<ftz>(b * scale)) * flush_if<ftz>(a * scale)));
  }
};

/// The f64 approximations read and write the upper 32 bits of their operands; the lower half of the result is zero.
CUDASIM_INLINE f64 upper_half(f64 x) { return bits_as<f64>(bits_as<u64>(x) & 0xffffffff00000000ull); }
CUDASIM_INLINE f64 flush_f64(f64 x) {
  const u64 bits = bits_as<u64>(x);
  return bits_as<f64>((bits & 0x7ff0000000000000ull) == 0 ? bits & 0x8000000000000000ull : bits);
}
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 have one NaN (manual 9.7.3).
CUDASIM_INLINE f64 canonical_upper(f64 x) {
  return is_nan(x) ? bits_as<f64>(0x7fffffff00000000ull) : upper_half(flush_f64(x));
}
struct RcpDouble {
  static f64 of(f64 x) { return canonical_upper(1.0 / flush_f64(upper_half(x))); }
};
struct RsqrtDoubleFtz {
  static f64 of(f64 x) { return canonical_upper(1.0 / __builtin_sqrt(flush_f64(upper_half(x)))); }
};
struct RsqrtDouble {
  static f64 of(f64 x) { return payload(1.0 / __builtin_sqrt(x), x); }
};

template <template <bool> class Op>
Execute by_ftz(const Match& match) {
  return present(match, 0) ? slow_unary<Op<true>, f32, f32> : slow_unary<Op<false>, f32, f32>;
}
template <template <bool> class Op>
Execute division(const Match& match) {
  return present(match, 0) ? slow_binary<Op<true>, f32, f32, f32> : slow_binary<Op<false>, f32, f32, f32>;
}

}  // namespace

InstructionDefinitions special_functions_rows() {
  static const InstructionDefinition rows[] = {
      {"div.approx[.ftz].f32", "d:f32 a:f32 b:f32", division<DivApprox>, "9.7.3.8"},
      {"div.full[.ftz].f32", "d:f32 a:f32 b:f32", division<DivFull>, "9.7.3.8"},
      {"rcp.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Rcp>, "9.7.3.13"},
      {"rcp.approx.ftz.f64", "d:f64 a:f64", always<slow_unary<RcpDouble, f64, f64>>, "9.7.3.14"},
      {"sqrt.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Sqrt>, "9.7.3.15"},
      {"rsqrt.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Rsqrt>, "9.7.3.16"},
      {"rsqrt.approx.f64", "d:f64 a:f64", always<slow_unary<RsqrtDouble, f64, f64>>, "9.7.3.16"},
      {"rsqrt.approx.ftz.f64", "d:f64 a:f64", always<slow_unary<RsqrtDoubleFtz, f64, f64>>, "9.7.3.17"},
      {"sin.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Sin>, "9.7.3.18"},
      {"cos.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Cos>, "9.7.3.19"},
      {"lg2.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Lg2>, "9.7.3.20"},
      {"ex2.approx[.ftz].f32", "d:f32 a:f32", by_ftz<Ex2>, "9.7.3.21"},
      {"tanh.approx.f32", "d:f32 a:f32", always<slow_unary<Tanh, f32, f32>>, "9.7.3.22"},
  };
  return span_of(rows);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
