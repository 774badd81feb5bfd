// SPDX-License-Identifier: MIT
// Numbers as the GPU keeps them: 16-bit floating-point formats, what becomes of NaN, subnormals (.ftz) and saturation
// (.sat), and the rounding modes. Each rule that PTX leaves open, and that was settled by measuring an H200, is one
// named function here.
#pragma once

#include <cfenv>

#include "isa/semantics/shapes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

enum class Rounding : u8 { nearest, zero, minus, plus };

/// Two 16-bit formats as their bits; arithmetic on them goes through f64, which is exact enough (see half.cpp).
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
/// Two of them in a 32-bit register; the first is the low half.
struct f16x2 {
  u32 bits;
};
struct bf16x2 {
  u32 bits;
};

// ---- f32 -----------------------------------------------------------------------------------------------------------

constexpr u32 kNanBitsF32 = 0x7fffffffu;
constexpr u32 kSignBit32 = 0x80000000u;

CUDASIM_INLINE bool is_nan(f32 x) { return x != x; }
CUDASIM_INLINE bool is_nan(f64 x) { return x != x; }

/// f32 instructions have one NaN (manual 9.7.3: unspecified; hardware: 0x7fffffff).
CUDASIM_INLINE f32 canonical(f32 x) { return is_nan(x) ? bits_as<f32>(kNanBitsF32) : x; }

/// .ftz: a subnormal becomes a zero of the same sign. Results are flushed after rounding.
CUDASIM_INLINE f32 flush(f32 x) {
  const u32 bits = bits_as<u32>(x);
  const u32 kept = (bits & 0x7f800000u) == 0 ? kSignBit32 : ~0u;
  return bits_as<f32>(bits & kept);
}
template <bool ftz>
CUDASIM_INLINE f32 flush_if(f32 x) {
  if constexpr (ftz) return flush(x);
  return x;
}

/// .sat: clamps to [0, 1]. NaN and -0 become +0.
CUDASIM_INLINE f32 saturate(f32 x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
CUDASIM_INLINE f64 saturate(f64 x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

/// What an f32 instruction does to its result.
template <bool ftz, bool sat>
CUDASIM_INLINE f32 finish(f32 x) {
  if constexpr (sat) x = saturate(x);
  if constexpr (!sat) x = canonical(x);
  return flush_if<ftz>(x);
}

// ---- f64 -----------------------------------------------------------------------------------------------------------

constexpr u64 kQuietBitF64 = 0x0008000000000000ull;
/// What an invalid f64 operation makes (inf - inf, 0 * inf, sqrt(-1)); x86 makes the same. Measured on an H200.
constexpr u64 kNanBitsF64 = 0xfff8000000000000ull;

CUDASIM_INLINE f64 quiet(f64 nan) { return bits_as<f64>(bits_as<u64>(nan) | kQuietBitF64); }

// f64 instructions keep sign and payload of a NaN operand and make it quiet (manual 9.7.3: unspecified). Which
// operand's NaN wins was measured on an H200. The operations add, sub and mul keep b. The operation fma keeps b, also
// before c. For div, which is a program there, a is kept. The precedence of c over a is inferred: add(a, c) keeps c.
//
// The operands come in the order of increasing precedence. `result` is what the host computed. On x86 it is right
// already when the weakest operand alone is NaN, or none is. Among two NaN, it depends on how the compiler ordered the
// operands.
CUDASIM_INLINE f64 payload(f64 result, f64 only) {
#if defined(__SSE2__)
  (void)only;
  return result;
#else
  const f64 nan = is_nan(only) ? quiet(only) : bits_as<f64>(kNanBitsF64);
  return is_nan(result) ? nan : result;
#endif
}
CUDASIM_INLINE f64 payload(f64 result, f64 weaker, f64 stronger) {
  const f64 otherwise = payload(result, weaker);
  return is_nan(stronger) ? quiet(stronger) : otherwise;
}
CUDASIM_INLINE f64 payload(f64 result, f64 weakest, f64 middle, f64 strongest) {
  const f64 otherwise = payload(result, weakest, middle);
  return is_nan(strongest) ? quiet(strongest) : otherwise;
}

// ---- rounding modes of the host ------------------------------------------------------------------------------------

/// Sets the host's rounding mode for its lifetime. Between its ends arithmetic must read and write volatile objects, so
/// that the compiler neither moves nor folds it. Nothing else may touch the floating-point environment.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding mode) { std::fesetround(host_mode(mode)); }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int host_mode(Rounding mode) {
    switch (mode) {
      case Rounding::nearest:
        return FE_TONEAREST;
      case Rounding::zero:
        return FE_TOWARDZERO;
      case Rounding::minus:
        return FE_DOWNWARD;
      case Rounding::plus:
        return FE_UPWARD;
    }
    return FE_TONEAREST;
  }
};

/// Like `unary`, `binary`, `ternary`, with the host rounding in `mode`. Round to nearest never touches the mode.
template <Rounding mode, class Op, class D, class A>
void rounded_unary(std::byte* frame, const MicroOp& op, Mask mask) {
  if constexpr (mode == Rounding::nearest) {
    unary<Op, D, A>(frame, op, mask);
  } else {
    const RoundingScope scope(mode);
    const auto* const a = slot<A>(frame, op.a);
    write_active_lanes<D>(frame, op.d, mask, [=](unsigned i) {
      const volatile A x = decode<A>(a[i]);
      const volatile D result = Op::of(static_cast<A>(x));
      return static_cast<D>(result);
    });
  }
}
template <Rounding mode, class Op, class T>
void rounded_binary(std::byte* frame, const MicroOp& op, Mask mask) {
  if constexpr (mode == Rounding::nearest) {
    binary<Op, T, T, T>(frame, op, mask);
  } else {
    const RoundingScope scope(mode);
    const auto* const a = slot<T>(frame, op.a);
    const auto* const b = slot<T>(frame, op.b);
    write_active_lanes<T>(frame, op.d, mask, [=](unsigned i) {
      const volatile T x = decode<T>(a[i]), y = decode<T>(b[i]);
      const volatile T result = Op::of(static_cast<T>(x), static_cast<T>(y));
      return static_cast<T>(result);
    });
  }
}
template <Rounding mode, class Op, class T>
void rounded_ternary(std::byte* frame, const MicroOp& op, Mask mask) {
  if constexpr (mode == Rounding::nearest) {
    ternary<Op, T, T, T, T>(frame, op, mask);
  } else {
    const RoundingScope scope(mode);
    const auto* const a = slot<T>(frame, op.a);
    const auto* const b = slot<T>(frame, op.b);
    const auto* const c = slot<T>(frame, op.c);
    write_active_lanes<T>(frame, op.d, mask, [=](unsigned i) {
      const volatile T x = decode<T>(a[i]), y = decode<T>(b[i]), z = decode<T>(c[i]);
      const volatile T result = Op::of(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
      return static_cast<T>(result);
    });
  }
}

/// A select function for an optional group [.rn|.rz|.rm|.rp] (absent: to nearest). The template `Of` takes the mode.
template <unsigned group, template <Rounding> class Of>
Execute by_rounding(const Match& match) {
  switch (match.choice[group]) {
    case 1:
      return Of<Rounding::zero>::select(match);
    case 2:
      return Of<Rounding::minus>::select(match);
    case 3:
      return Of<Rounding::plus>::select(match);
    default:
      return Of<Rounding::nearest>::select(match);
  }
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
