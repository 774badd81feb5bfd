// SPDX-License-Identifier: MIT
// Collects the registers that the value may reach, without regard to the order of instructions. A register that holds
// it anywhere counts as holding it everywhere.
#include "checkers/race/explain/compare_and_swap.h"

#include <algorithm>
#include <set>

#include "checkers/init/value_rules.h"
#include "checkers/race/explain/race_place.h"
#include "program/program.h"

namespace cudasim {
namespace {

using Slots = std::set<std::uint32_t>;

struct Operands {
  Slots read, written;  // of a pure operation
};

Operands operands_of(const Program& program, const MicroOp& op) {
  if (op.counter == 0) return {{op.a}, {op.d}};  // a negated predicate, or a change of width
  const InstructionOrigin& origin = program.origins[op.counter];
  const ValueRule rule = rule_of(*origin.row, origin.match);
  const std::pair<std::uint8_t, std::uint32_t> all[] = {{ValueRule::a, op.a}, {ValueRule::b, op.b},
                                                        {ValueRule::c, op.c}, {ValueRule::d, op.d},
                                                        {ValueRule::e, op.e}, {ValueRule::f, op.f}};
  Operands operands;
  for (const auto& [bit, slot] : all) {
    if ((rule.sources & bit) != 0) operands.read.insert(slot);
    if ((rule.destinations & bit) != 0 && slot != 0) operands.written.insert(slot);
  }
  return operands;
}

bool meet(const Slots& a, const Slots& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t slot) { return b.count(slot) != 0; });
}

class Search {
 public:
  Search(const Program& program, const MicroOp& load) : program_(program), load_(program.accesses[load.extra]) {
    const std::uint32_t function = program.origins[load.counter].function;
    begin_ = program.code.data() + program.functions[function].entry;
    end_ = program.code.data() + program.code.size();
    for (const auto& other : program.functions) {
      const MicroOp* const entry = program.code.data() + other.entry;
      if (entry > begin_) end_ = std::min(end_, entry);
    }
  }

  bool only_guesses() {
    if (load_.count != 1 || load_.ordering != Ordering::weak) return false;
    reached_ = {load_.data[0].slot};
    for (std::size_t before = 0; before != reached_.size();) {
      before = reached_.size();
      for (const MicroOp* op = begin_; op != end_; ++op) {
        if (!is_pure(*op)) continue;
        const Operands operands = operands_of(program_, *op);
        if (meet(operands.read, reached_)) reached_.insert(operands.written.begin(), operands.written.end());
      }
    }
    bool swaps = false;
    for (const MicroOp* op = begin_; op != end_; ++op) {
      if (is_swap(*op)) {
        swaps |= holds(op->b);
        continue;
      }
      if (uses(*op)) return false;
    }
    return swaps;
  }

 private:
  static bool is_pure(const MicroOp& op) {
    return op.kind == MicroOpcode::pure || op.kind == MicroOpcode::not_predicate;
  }
  bool holds(std::uint32_t slot) const { return slot != 0 && reached_.count(slot) != 0; }

  bool is_same_place(const MemoryAccess& access) const {
    return access.space == load_.space && access.base_kind == load_.base_kind && access.base == load_.base &&
           access.displacement == load_.displacement;
  }
  bool is_swap(const MicroOp& op) const {
    return op.kind == MicroOpcode::atomic && program_.atomics[op.extra].operation == AtomicOperation::cas &&
           is_same_place(program_.atomics[op.extra].address) &&
           (op.guard_mode == MicroOp::Guard::always || !holds(op.guard));
  }

  /// Whether a predicate says only this: the value that a swap found equals the value that it compared with.
  bool asks_whether_swapped(std::uint32_t predicate) const {
    for (const MicroOp* op = begin_; op != end_; ++op) {
      if (!is_pure(*op)) continue;
      const Operands operands = operands_of(program_, *op);
      if (operands.written.count(predicate) == 0) continue;
      const bool asks = std::any_of(begin_, end_, [&](const MicroOp& swap) {
        return is_swap(swap) && (operands.read == Slots{swap.b, swap.d});
      });
      if (!asks) return false;
    }
    return true;
  }

  /// Whether the value decides something here, or leaves the registers.
  bool uses(const MicroOp& op) const {
    const auto base = [&](const MemoryAccess& access) {
      const bool is_register =
          access.base_kind == MemoryAccess::Base::reg32 || access.base_kind == MemoryAccess::Base::reg64;
      return is_register && holds(access.base);
    };
    if (op.guard_mode != MicroOp::Guard::always && holds(op.guard) &&
        !(op.kind == MicroOpcode::branch && asks_whether_swapped(op.guard)))
      return true;
    switch (op.kind) {
      case MicroOpcode::pure:
      case MicroOpcode::not_predicate:
        return false;
      case MicroOpcode::load:
        return base(program_.accesses[op.extra]);
      case MicroOpcode::store: {
        const MemoryAccess& access = program_.accesses[op.extra];
        bool stored = base(access);
        for (unsigned i = 0; i < access.count; ++i) stored |= holds(access.data[i].slot);
        return stored;
      }
      case MicroOpcode::atomic:
        return base(program_.atomics[op.extra].address) || holds(op.b) || holds(op.c);
      case MicroOpcode::async_copy:
        return base(program_.accesses[op.extra]) || base(program_.accesses[op.extra + 1]) || holds(op.a);
      case MicroOpcode::call:
        return program_.calls[op.extra].callee == Call::Callee::indirect &&
               holds(program_.calls[op.extra].address_slot);
      default:
        return holds(op.a) || holds(op.b) || holds(op.c) || holds(op.f);
    }
  }

  const Program& program_;
  const MemoryAccess& load_;
  const MicroOp *begin_, *end_;  // of its function
  Slots reached_;
};

}  // namespace

bool only_guesses(const Program& shared, std::uint32_t instruction) {
  const Program& program = shared.with_own_slots();
  const MicroOp& op = access_at(program, instruction);
  return op.kind == MicroOpcode::load && Search(program, op).only_guesses();
}

}  // namespace cudasim
