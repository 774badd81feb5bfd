// SPDX-License-Identifier: MIT
// Shapes: from a scalar meaning to an Execute. A meaning is a type with a static `of`, written for one lane; `unary`,
// `binary` and `ternary` run it for a warp. With the types Unary, Binary, ... below, a row names a shape once for many
// operand types. An example: by_type<0, Binary<Add>, u16, s16, u32> picks by the pattern's group 0.
#pragma once

#include "isa/semantics/lanes.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

template <class Op, class D, class A>
void unary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  write_lanes<D>(frame, op.d, mask, [=](unsigned i) { return D(Op::of(decode<A>(a[i]))); });
}

template <class Op, class D, class A, class B>
void binary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  write_lanes<D>(frame, op.d, mask, [=](unsigned i) { return D(Op::of(decode<A>(a[i]), decode<B>(b[i]))); });
}

template <class Op, class D, class A, class B, class C>
void ternary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  const auto* const c = slot<C>(frame, op.c);
  write_lanes<D>(frame, op.d, mask,
                 [=](unsigned i) { return D(Op::of(decode<A>(a[i]), decode<B>(b[i]), decode<C>(c[i]))); });
}

/// Four sources: bfi, lop3.
template <class Op, class D, class A, class B, class C, class F>
void quaternary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  const auto* const c = slot<C>(frame, op.c);
  const auto* const f = slot<F>(frame, op.f);
  write_lanes<D>(frame, op.d, mask, [=](unsigned i) {
    return D(Op::of(decode<A>(a[i]), decode<B>(b[i]), decode<C>(c[i]), decode<F>(f[i])));
  });
}

// The slow forms compute active lanes only, one by one: for meanings that call the mathematical library or divide.
template <class Op, class D, class A>
void slow_unary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  write_active_lanes<D>(frame, op.d, mask, [=](unsigned i) { return D(Op::of(decode<A>(a[i]))); });
}

template <class Op, class D, class A, class B>
void slow_binary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  write_active_lanes<D>(frame, op.d, mask, [=](unsigned i) { return D(Op::of(decode<A>(a[i]), decode<B>(b[i]))); });
}

template <class Op, class D, class A, class B, class C>
void slow_ternary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  const auto* const c = slot<C>(frame, op.c);
  write_active_lanes<D>(frame, op.d, mask,
                        [=](unsigned i) { return D(Op::of(decode<A>(a[i]), decode<B>(b[i]), decode<C>(c[i]))); });
}

template <class Op, class D, class A, class B, class C, class F>
void slow_quaternary(std::byte* frame, const MicroOp& op, Mask mask) {
  const auto* const a = slot<A>(frame, op.a);
  const auto* const b = slot<B>(frame, op.b);
  const auto* const c = slot<C>(frame, op.c);
  const auto* const f = slot<F>(frame, op.f);
  write_active_lanes<D>(frame, op.d, mask, [=](unsigned i) {
    return D(Op::of(decode<A>(a[i]), decode<B>(b[i]), decode<C>(c[i]), decode<F>(f[i])));
  });
}

// Shapes whose operands all have the type of the row.
template <class Op>
struct Unary {
  template <class T>
  static constexpr Execute execute() {
    return unary<Op, T, T>;
  }
};
template <class Op>
struct Binary {
  template <class T>
  static constexpr Execute execute() {
    return binary<Op, T, T, T>;
  }
};
template <class Op>
struct Ternary {
  template <class T>
  static constexpr Execute execute() {
    return ternary<Op, T, T, T, T>;
  }
};
template <class Op>
struct SlowUnary {
  template <class T>
  static constexpr Execute execute() {
    return slow_unary<Op, T, T>;
  }
};
template <class Op>
struct SlowBinary {
  template <class T>
  static constexpr Execute execute() {
    return slow_binary<Op, T, T, T>;
  }
};
template <class Op>
struct SlowTernary {
  template <class T>
  static constexpr Execute execute() {
    return slow_ternary<Op, T, T, T, T>;
  }
};
/// The row's type in, D out: popc, clz, bfind.
template <class Op, class D>
struct UnaryTo {
  template <class T>
  static constexpr Execute execute() {
    return unary<Op, D, T>;
  }
};
/// The second operand is a u32 whatever the row's type: shifts.
template <class Op>
struct BinaryWithCount {
  template <class T>
  static constexpr Execute execute() {
    return binary<Op, T, T, u32>;
  }
};

/// The index chosen for `group`; an absent optional group counts as its first alternative.
CUDASIM_INLINE std::size_t choice_of(const Match& match, unsigned group) {
  return match.choice[group] < 0 ? 0 : static_cast<std::size_t>(match.choice[group]);
}
CUDASIM_INLINE bool present(const Match& match, unsigned group) { return match.choice[group] >= 0; }

/// A select function for a row with one meaning.
template <Execute semantics>
Execute always(const Match&) {
  return semantics;
}

/// A select function: the type is the alternative that the pattern's group `group` matched.
template <unsigned group, class Shape, class... T>
Execute by_type(const Match& match) {
  constexpr Execute kTable[] = {Shape::template execute<T>()...};
  return kTable[choice_of(match, group)];
}

/// A select function that picks one of several select functions by a group of the pattern: operators, modes, rounding.
template <unsigned group, Execute (*... select)(const Match&)>
Execute by_choice(const Match& match) {
  constexpr Execute (*table[])(const Match&) = {select...};
  return table[choice_of(match, group)](match);
}

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
