// SPDX-License-Identifier: MIT
// Comparison operators, and the shapes of setp and set for any operand type. A comparison, combined by .and, .or or
// .xor with a third operand, gives one predicate or two, or a register.
#pragma once

#include <type_traits>

#include "isa/semantics/number.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

// ---- operators -----------------------------------------------------------------------------------------------------
// For numbers, the first six are false when an operand is NaN, as in C++ except for Ne; the `u` forms are true then.

struct Eq {
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static bool of(T a, T b) {
    return (a < b) | (a > b);
  }
};
struct Lt {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static bool of(T a, T b) {
    return a >= b;
  }
};
/// True when `Op` is false: Equ is the complement of Ne, Ltu of Ge, and so on.
template <class Op>
struct Unless {
  template <class T>
  static bool of(T a, T b) {
    return !Op::of(a, b);
  }
};
struct Num {
  template <class T>
  static bool of(T a, T b) {
    return (a == a) & (b == b);
  }
};

template <class... Op>
struct Operators {};
template <class... T>
struct Types {};
using EqualityOperators = Operators<Eq, Ne>;
using SignedOperators = Operators<Eq, Ne, Lt, Le, Gt, Ge>;
using UnsignedOperators = Operators<Eq, Ne, Lt, Le, Gt, Ge, Lt, Le, Gt, Ge>;
using FloatOperators = Operators<Eq, Ne, Lt, Le, Gt, Ge, Unless<Ne>, Unless<Eq>, Unless<Ge>, Unless<Gt>, Unless<Le>,
                                 Unless<Lt>, Num, Unless<Num>>;
#define EQUALITY_OPERATORS "<.eq|.ne>"
#define SIGNED_OPERATORS "<.eq|.ne|.lt|.le|.gt|.ge>"
#define UNSIGNED_OPERATORS "<.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs>"
#define FLOAT_OPERATORS "<.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan>"
#define BOOLEAN_OPERATORS "<.and|.or|.xor>"

/// Compares after flushing subnormals (.ftz).
template <class Op>
struct Flushing {
  static bool of(f32 a, f32 b) { return Op::of(flush(a), flush(b)); }
};

// How a comparison is combined with the third operand. Plain: there is none.
struct Plain {
  static Mask of(Mask compared, Mask) { return compared; }
};
struct AndMask {
  static Mask of(Mask compared, Mask c) { return compared & c; }
};
struct OrMask {
  static Mask of(Mask compared, Mask c) { return compared | c; }
};
struct XorMask {
  static Mask of(Mask compared, Mask c) { return compared ^ c; }
};

// ---- setp ----------------------------------------------------------------------------------------------------------

template <class Op, class T>
CUDASIM_INLINE Mask compare_inline(std::byte* frame, const MicroOp& op) {
  const auto* const a = slot<T>(frame, op.a);
  const auto* const b = slot<T>(frame, op.b);
  return mask_of_lanes<T>([=](unsigned i) { return Op::of(decode<T>(a[i]), decode<T>(b[i])); });
}
/// Out of line for the rarer forms, which would otherwise repeat the loop many times over.
template <class Op, class T>
[[gnu::noinline]] Mask compare(std::byte* frame, const MicroOp& op) {
  return compare_inline<Op, T>(frame, op);
}

template <class Op, class T>
void set_predicate(std::byte* frame, const MicroOp& op, Mask mask) {
  write_predicate(frame, op.d, mask, compare_inline<Op, T>(frame, op));
}
/// setp with a third operand or a second destination. The second predicate takes the complement of the comparison.
template <class Op, class T, class Combine, bool pair>
void set_predicates(std::byte* frame, const MicroOp& op, Mask mask) {
  const Mask compared = compare<Op, T>(frame, op);
  const Mask c = *predicate(frame, op.c);
  write_predicate(frame, op.d, mask, Combine::of(compared, c));
  if constexpr (pair) write_predicate(frame, op.e, mask, Combine::of(~compared, c));
}

template <class Combine, bool pair, bool ftz = false>
struct Setp {
  template <class Op>
  struct With {
    template <class T>
    static constexpr Execute execute() {
      if constexpr (ftz) {
        return set_predicates<Flushing<Op>, T, Combine, pair>;
      } else if constexpr (pair || !std::is_same_v<Combine, Plain>) {
        return set_predicates<Op, T, Combine, pair>;
      } else {
        return set_predicate<Op, T>;
      }
    }
  };
};

// ---- set -----------------------------------------------------------------------------------------------------------

/// What set writes for true: all ones, or 1 in the destination's floating-point type.
template <class Result>
constexpr Result kTrueValue = static_cast<Result>(~Result{0});
template <>
inline constexpr f32 kTrueValue<f32> = 1.0f;

template <class Result>
[[gnu::noinline]] void write_truth(std::byte* frame, u32 offset, Mask mask, Mask truth) {
  write_lanes<Result>(frame, offset, mask,
                      [=](unsigned i) { return in_mask<Result>(truth, i) ? kTrueValue<Result> : Result{0}; });
}
template <class Op, class T, class Combine, class Result>
void set_register(std::byte* frame, const MicroOp& op, Mask mask) {
  const Mask compared = compare<Op, T>(frame, op);
  write_truth<Result>(frame, op.d, mask, Combine::of(compared, *predicate(frame, op.c)));
}
template <class Combine, class Result, bool ftz = false>
struct Set {
  template <class Op>
  struct With {
    template <class T>
    static constexpr Execute execute() {
      if constexpr (ftz) {
        return set_register<Flushing<Op>, T, Combine, Result>;
      } else {
        return set_register<Op, T, Combine, Result>;
      }
    }
  };
};

// ---- select functions ----------------------------------------------------------------------------------------------

template <unsigned operator_group, unsigned type_group, template <class> class With, class Ops, class Ts>
struct Grid;
/// Group operator_group chooses among Op..., group type_group among T...
template <unsigned operator_group, unsigned type_group, template <class> class With, class... Op, class... T>
struct Grid<operator_group, type_group, With, Operators<Op...>, Types<T...>> {
  static Execute select(const Match& match) {
    return by_choice<operator_group, by_type<type_group, With<Op>, T...>...>(match);
  }
};

/// setp<operator><type>, and setp<operator><.and|.or|.xor><type>.
template <class Ops, class Ts, bool pair>
constexpr auto setp = Grid<0, 1, Setp<Plain, pair>::template With, Ops, Ts>::select;
template <class Ops, class Ts, bool pair>
constexpr auto setp_combined = by_choice<1, Grid<0, 2, Setp<AndMask, pair>::template With, Ops, Ts>::select,
                                         Grid<0, 2, Setp<OrMask, pair>::template With, Ops, Ts>::select,
                                         Grid<0, 2, Setp<XorMask, pair>::template With, Ops, Ts>::select>;

/// set<operator><result><type>, and set<operator><.and|.or|.xor><result><type>; results are .u32, .s32 and .f32.
template <class Ops, class Ts, class Combine, unsigned result_group>
constexpr auto set_results =
    by_choice<result_group, Grid<0, result_group + 1, Set<Combine, u32>::template With, Ops, Ts>::select,
              Grid<0, result_group + 1, Set<Combine, u32>::template With, Ops, Ts>::select,
              Grid<0, result_group + 1, Set<Combine, f32>::template With, Ops, Ts>::select>;
template <class Ops, class Ts>
constexpr auto set = set_results<Ops, Ts, Plain, 1>;
template <class Ops, class Ts>
constexpr auto set_combined =
    by_choice<1, set_results<Ops, Ts, AndMask, 2>, set_results<Ops, Ts, OrMask, 2>, set_results<Ops, Ts, XorMask, 2>>;

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
