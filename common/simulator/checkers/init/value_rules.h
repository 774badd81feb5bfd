// SPDX-License-Identifier: MIT
// How undefined values pass through an instruction between registers: which operands are read, which are written, and
// where the result is defined although an operand is not. Instructions themselves know nothing of this.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace cudasim {

struct ValueRule {
  // Operands of a MicroOp, one bit each.
  static constexpr std::uint8_t a = 1, b = 2, c = 4, f = 8, e = 16, d = 32;

  enum class Kind : std::uint8_t {
    unknown,         ///< not looked up yet
    any,             ///< undefined when any source is
    all,             ///< undefined when all sources are: parts that are put together. See rule_of().
    same_cancels,    ///< xor and sub: defined when both sources are one register, else as `any`
    chosen_by_flag,  ///< selp: of the arm that is taken
    chosen_by_sign,  ///< slct
    bytes,           ///< prmt: the sources from which bytes are taken, as `all`
    logic,           ///< and, or, lop3: a bit is defined when the undefined operands cannot change it
    combined,        ///< setp with a third operand
  };
  enum class Width : std::uint8_t { predicate, half, narrow, wide };

  Kind kind = Kind::unknown;
  std::uint8_t sources = 0, destinations = 0;
  Width width = Width::narrow;  ///< of a logic operation
  std::uint8_t table = 0;       ///< of a logic operation: bit (4a + 2b + c) is the result; lop3 has its own in slot f
  bool floating = false;        ///< chosen_by_sign: c is an f32
  enum class Combine : std::uint8_t { and_, or_, xor_ } combine = Combine::and_;
};

/// A register counts as undefined when all of it is: a value that was put together from an undefined
/// and a defined part is treated as defined, as the padding of a struct is an undefined part of nearly every program
/// and does no harm.
ValueRule rule_of(const Row& row, const Match& match);

/// The lanes of `mask` whose result is undefined. `frame`: registers before the instruction is executed. `undefined`
/// gives the undefined lanes of the slot at an offset.
template <class Undefined>
Mask undefined_result(const ValueRule& rule, std::byte* frame, const MicroOp& op, Mask mask, Undefined undefined);

// The parts of it that look at values. pa, pb, pc: undefined lanes of the sources, cut to the lanes that matter.
Mask undefined_logic(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
Mask undefined_choice(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
Mask undefined_bytes(const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
/// Executes the instruction with other values of c, and puts the registers back.
Mask undefined_combination(const ValueRule& rule, std::byte* frame, const MicroOp& op, Mask mask, Mask compared,
                           Mask pc);

template <class Undefined>
Mask undefined_result(const ValueRule& rule, std::byte* frame, const MicroOp& op, Mask mask, Undefined undefined) {
  const Mask pa = (rule.sources & ValueRule::a) != 0 ? undefined(op.a) & mask : 0;
  const Mask pb = (rule.sources & ValueRule::b) != 0 ? undefined(op.b) & mask : 0;
  const Mask pc = (rule.sources & ValueRule::c) != 0 ? undefined(op.c) & mask : 0;
  const Mask pf = (rule.sources & ValueRule::f) != 0 ? undefined(op.f) & mask : 0;
  const Mask pe = (rule.sources & ValueRule::e) != 0 ? undefined(op.e) & mask : 0;
  const Mask any = pa | pb | pc | pf | pe;
  if (any == 0) return 0;
  switch (rule.kind) {
    case ValueRule::Kind::unknown:
    case ValueRule::Kind::any:
      return any;
    case ValueRule::Kind::all:
      return pa & pb & ((rule.sources & ValueRule::c) != 0 ? pc & pf : ~0u);
    case ValueRule::Kind::same_cancels:
      return op.a == op.b ? 0 : any;
    case ValueRule::Kind::chosen_by_flag:
    case ValueRule::Kind::chosen_by_sign:
      return undefined_choice(rule, frame, op, pa, pb, pc);
    case ValueRule::Kind::bytes:
      return undefined_bytes(frame, op, pa, pb, pc);
    case ValueRule::Kind::logic:
      return undefined_logic(rule, frame, op, pa, pb, pc);
    case ValueRule::Kind::combined:
      return undefined_combination(rule, frame, op, mask, pa | pb, pc);
  }
  return any;
}

}  // namespace cudasim
