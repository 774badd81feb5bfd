// SPDX-License-Identifier: MIT
// The rules by which undefined values pass through an instruction between registers (Memcheck: shadow propagation). A
// rule gives the operands that are read and those that are written. It also says where the result is defined although
// an operand is not. The instructions themselves have no code for this.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace cudasim {

struct ValueRule {
  // Operands of a MicroOp, one bit each.
  static constexpr std::uint8_t a = 1, b = 2, c = 4, f = 8, e = 16, d = 32;

  enum class Kind : std::uint8_t {
    unknown,         ///< Not looked up yet.
    any,             ///< Undefined when any source is.
    all,             ///< Undefined when all sources are: an instruction that joins parts. See rule_of().
    same_cancels,    ///< For xor and sub: defined when both sources are one register, else as `any`.
    chosen_by_flag,  ///< For selp: that of the arm that is taken.
    chosen_by_sign,  ///< For slct.
    bytes,           ///< For prmt: the sources from which bytes are taken, as `all`.
    logic,           ///< For and, or, lop3: a bit is defined when the undefined operands cannot change it.
    combined,        ///< For setp with a third operand.
  };
  enum class Width : std::uint8_t { predicate, half, narrow, wide };

  Kind kind = Kind::unknown;
  std::uint8_t sources = 0, destinations = 0;
  Width width = Width::narrow;  ///< For a logic operation.
  std::uint8_t table = 0;  ///< For a logic operation: bit (4a + 2b + c) is the result. An lop3 has its own in slot f.
  bool floating = false;   ///< For chosen_by_sign: c is an f32.
  enum class Combine : std::uint8_t { and_, or_, xor_ } combine = Combine::and_;
};

/// A register counts as undefined only when all of it is. A value that joins an undefined and a defined part counts as
/// defined. The reason is the padding of structs: nearly every program has such a part, and it does no harm.
ValueRule rule_of(const InstructionDefinition& row, const Match& match);

/// The lanes of `mask` whose result is undefined. `frame`: the registers before the instruction. The function
/// `undefined` gives the undefined lanes of the slot at an offset.
template <class Undefined>
Mask undefined_result(const ValueRule& rule, std::byte* frame, const MicroOp& op, Mask mask, Undefined undefined);

// The parts of the rule that depend on values. Undefined lanes of the sources are in pa, pb, pc, limited to the lanes
// that matter.
Mask undefined_logic(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
Mask undefined_choice(const ValueRule& rule, const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
Mask undefined_bytes(const std::byte* frame, const MicroOp& op, Mask pa, Mask pb, Mask pc);
/// Executes the instruction with other values of c, and restores the registers.
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
