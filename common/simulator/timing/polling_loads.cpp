// SPDX-License-Identifier: MIT
#include "timing/polling_loads.h"

#include <algorithm>

namespace cudasim {
namespace {

using SlotList = std::vector<std::uint32_t>;

std::uint32_t slot_of(const MicroOp& op, char letter) {
  return letter == 'd' ? op.d : letter == 'e' ? op.e : letter == 'c' ? op.c : op.f;
}

/// The register slots that an operation writes.
SlotList written_by(const Program& program, const MicroOp& op) {
  SlotList slots;
  if (op.kind == MicroOpcode::load) {
    const MemoryAccess& access = program.accesses[op.extra];
    for (unsigned i = 0; i < access.count; ++i) {
      if (!access.data[i].sink) slots.push_back(access.data[i].slot);
    }
  } else if (op.kind == MicroOpcode::atomic) {
    if (program.atomics[op.extra].returns) slots.push_back(op.d);
  } else if (op.kind == MicroOpcode::pure) {
    for (const RowOperand& operand : parse_operands(program.origins[op.counter].row->operands)) {
      for (unsigned i = 0; operand.written && i < operand.count; ++i) slots.push_back(slot_of(op, operand.slots[i]));
    }
  } else if (op.counter != 0 && op.kind != MicroOpcode::branch && op.kind != MicroOpcode::store) {
    for (const std::uint32_t slot : {op.d, op.e}) {
      if (slot != 0) slots.push_back(slot);  // else it has no such destination
    }
  }
  return slots;
}

bool may_be_global(ptx::Space space) { return space == ptx::Space::global || space == ptx::Space::generic; }

/// The address of an operation that reads memory which others may write meanwhile; null for all others.
const MemoryAccess* polled_by(const Program& program, const MicroOp& op) {
  const MemoryAccess* access = nullptr;
  if (op.kind == MicroOpcode::load && program.accesses[op.extra].ordering != Ordering::weak)
    access = &program.accesses[op.extra];
  if (op.kind == MicroOpcode::atomic && program.atomics[op.extra].returns) access = &program.atomics[op.extra].address;
  return access != nullptr && may_be_global(access->space) ? access : nullptr;
}

struct Loop {
  std::uint32_t begin, end;  ///< the pcs of its first operation and of its backward branch
  bool holds(std::uint32_t pc) const { return begin <= pc && pc <= end; }
};

class PollSearch {
 public:
  explicit PollSearch(const Program& program) : program_(program), polls_(program.origins.size(), false) {}

  std::vector<bool> run() {
    for (std::uint32_t pc = 0; pc < program_.code.size(); ++pc) {
      const MicroOp& op = program_.code[pc];
      if (op.kind == MicroOpcode::branch && program_.branches[op.extra].target <= pc)
        loops_.push_back({program_.branches[op.extra].target, pc});
    }
    for (std::uint32_t pc = 0; pc < program_.code.size(); ++pc) look_at(pc);
    return polls_;
  }

 private:
  bool writes(std::uint32_t begin, std::uint32_t end, const SlotList& read) const {
    for (std::uint32_t pc = begin; pc <= end; ++pc) {
      for (const std::uint32_t slot : written_by(program_, program_.code[pc])) {
        if (std::find(read.begin(), read.end(), slot) != read.end()) return true;
      }
    }
    return false;
  }

  /// Whether the loop moves data in global memory, beside looking.
  bool works(const Loop& loop) const {
    for (std::uint32_t pc = loop.begin; pc <= loop.end; ++pc) {
      const MicroOp& op = program_.code[pc];
      const bool moves = op.kind == MicroOpcode::load || op.kind == MicroOpcode::store;
      if (op.kind == MicroOpcode::async_copy || op.kind == MicroOpcode::texture_fetch) return true;
      if (moves && polled_by(program_, op) == nullptr && may_be_global(program_.accesses[op.extra].space)) return true;
    }
    return false;
  }

  void look_at(std::uint32_t pc) {
    const MicroOp& op = program_.code[pc];
    const MemoryAccess* const access = polled_by(program_, op);
    if (access == nullptr) return;
    const Loop* loop = nullptr;  // the innermost one
    for (const Loop& each : loops_) {
      if (each.holds(pc) && (loop == nullptr || each.end - each.begin < loop->end - loop->begin)) loop = &each;
    }
    SlotList read;
    if (access->base_kind == MemoryAccess::Base::reg64 || access->base_kind == MemoryAccess::Base::reg32)
      read.push_back(access->base);
    if (op.kind == MicroOpcode::atomic) {
      read.push_back(op.b);
      if (program_.atomics[op.extra].operation == AtomicOperation::cas) read.push_back(op.c);
    }
    if (loop == nullptr || writes(loop->begin, loop->end, read) || works(*loop)) return;
    polls_[op.counter] = true;
    for (std::uint32_t before = 0; before < loop->begin; ++before) {
      const MemoryAccess* const same = polled_by(program_, program_.code[before]);
      if (same != nullptr && same->base == access->base && same->displacement == access->displacement &&
          !writes(before, loop->begin, read))
        polls_[program_.code[before].counter] = true;
    }
  }

  const Program& program_;
  std::vector<bool> polls_;
  std::vector<Loop> loops_;
};

}  // namespace

std::vector<bool> polling_loads(const Program& program) { return PollSearch(program).run(); }

}  // namespace cudasim
