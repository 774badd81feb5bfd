// SPDX-License-Identifier: MIT
// Arithmetic with a carry: meanings of add.cc, addc, sub.cc, subc, mad.cc and madc. The flag is the predicate slot e,
// one bit a lane, which is read, written or both.
#pragma once

#include "isa/semantics/integer_parts.h"

namespace cudasim::CUDASIM_LEVEL_NAMESPACE {

/// a + b + carry, or a - b - carry, with the carry (or borrow) out. `in` and `out` say whether the flag is read,
/// written.
template <class T, bool subtract, bool in, bool out>
void with_carry(std::byte* frame, const MicroOp& op, Mask mask) {
  using U = Bits<T>;
  const auto* const a = slot<U>(frame, op.a);
  const auto* const b = slot<U>(frame, op.b);
  const Mask carries = in ? *predicate(frame, op.e) : 0;
  Mask carry_out = 0;
  if constexpr (out) {
    carry_out = mask_of_lanes<U>([=](unsigned i) {
      const U x = a[i], y = b[i];
      const bool carry = in_mask<U>(carries, i);
      if constexpr (subtract) return x < y || (x == y && carry);
      const U sum = x + y;
      return sum < x || (carry && sum == static_cast<U>(~U{0}));
    });
  }
  write_lanes<U>(frame, op.d, mask, [=](unsigned i) {
    const U carry = in_mask<U>(carries, i) ? 1 : 0;
    return static_cast<U>(subtract ? a[i] - b[i] - carry : a[i] + b[i] + carry);
  });
  if constexpr (out) write_predicate(frame, op.e, mask, carry_out);
}
template <bool subtract, bool in, bool out>
struct Carry {
  template <class T>
  static constexpr Execute execute() {
    return with_carry<T, subtract, in, out>;
  }
};

/// mad.cc and madc: half of a product, plus c, plus the carry.
template <class T, class Product, bool in, bool out>
void mad_with_carry(std::byte* frame, const MicroOp& op, Mask mask) {
  using U = Bits<T>;
  const auto* const a = slot<U>(frame, op.a);
  const auto* const b = slot<U>(frame, op.b);
  const auto* const c = slot<U>(frame, op.c);
  const Mask carries = in ? *predicate(frame, op.e) : 0;
  Mask carry_out = 0;
  alignas(64) Word<U> sums[kWarpSize];
  for_each_active_lane(mask, [&](unsigned i) {
    const U product = static_cast<U>(Product::of(static_cast<T>(a[i]), static_cast<T>(b[i])));
    const U carry = (carries >> i) & 1;
    const U partial = product + c[i];
    sums[i] = partial + carry;
    const bool overflows = partial < product || (carry != 0 && sums[i] == 0);
    carry_out |= Mask{overflows} << i;
  });
  store_masked(slot<U>(frame, op.d), sums, mask);
  if constexpr (out) write_predicate(frame, op.e, mask, carry_out);
}
template <class Product, bool in, bool out>
struct MadCarry {
  template <class T>
  static constexpr Execute execute() {
    return mad_with_carry<T, Product, in, out>;
  }
};
/// Group 0 is .lo or .hi, group 1 the type.
template <bool in, bool out>
constexpr auto mad_carry = by_choice<0, by_type<1, MadCarry<MulLow, in, out>, u32, s32, u64, s64>,
                                     by_type<1, MadCarry<MulHigh, in, out>, u32, s32, u64, s64>>;

}  // namespace cudasim::CUDASIM_LEVEL_NAMESPACE
