// SPDX-License-Identifier: MIT
#include "timing/unrolled_loops.h"

#include <algorithm>
#include <set>

#include "timing/instruction_class.h"

namespace cudasim {
namespace {

/// The instructions of a loop, without barriers.
constexpr unsigned kMostInstructions = 35;

/// A loop of straight code: operations [begin, end) and the branch at `end` back to `begin`.
struct StraightLoop {
  std::uint32_t begin, end;
};

class LoopCounter {
 public:
  LoopCounter(const Program& program, const Operations& operations, const std::set<std::uint32_t>& constants)
      : program_(program), operations_(operations), constants_(constants) {}

  bool is_counted(const StraightLoop& loop) const {
    const std::uint32_t guard = program_.code[loop.end].guard / kSlotBytes;
    for (std::uint32_t pc = loop.end; pc-- > loop.begin;) {
      if (!writes(pc, guard)) continue;
      return class_at(pc) == InstructionClass::predicate && compares_counter(loop, pc);
    }
    return false;
  }

 private:
  InstructionClass class_at(std::uint32_t pc) const { return class_of(program_.origins[program_.code[pc].counter]); }
  bool writes(std::uint32_t pc, std::uint32_t slot) const {
    const TimedOperation& op = operations_.by_pc[pc];
    const auto* const first = operations_.registers.data() + op.first + op.reads;
    return std::find(first, first + op.writes, slot) != first + op.writes;
  }

  /// One operand is a counter, and nothing in the loop writes the others.
  bool compares_counter(const StraightLoop& loop, std::uint32_t comparison) const {
    const TimedOperation& op = operations_.by_pc[comparison];
    unsigned counters = 0;
    for (unsigned i = 0; i < op.reads; ++i) {
      const std::uint32_t slot = operations_.registers[op.first + i];
      if (is_counter(loop, slot)) {
        ++counters;
      } else if (is_written(loop, slot)) {
        return false;
      }
    }
    return counters == 1;
  }
  bool is_written(const StraightLoop& loop, std::uint32_t slot) const {
    for (std::uint32_t pc = loop.begin; pc < loop.end; ++pc) {
      if (writes(pc, slot)) return true;
    }
    return false;
  }
  /// Each turn adds a constant to it.
  bool is_counter(const StraightLoop& loop, std::uint32_t slot) const {
    unsigned additions = 0;
    for (std::uint32_t pc = loop.begin; pc < loop.end; ++pc) {
      if (!writes(pc, slot)) continue;
      const TimedOperation& op = operations_.by_pc[pc];
      if (class_at(pc) != InstructionClass::integer) return false;
      for (unsigned i = 0; i < op.reads; ++i) {
        const std::uint32_t read = operations_.registers[op.first + i];
        if (read != slot && constants_.count(read) == 0) return false;
      }
      ++additions;
    }
    return additions == 1;
  }

  const Program& program_;
  const Operations& operations_;
  const std::set<std::uint32_t>& constants_;
};

/// Neither branch nor call, and few instructions.
bool is_straight(const Program& program, const Operations& operations, const StraightLoop& loop) {
  unsigned count = 0;
  for (std::uint32_t pc = loop.begin; pc < loop.end; ++pc) {
    const MicroOpcode kind = program.code[pc].kind;
    if (kind == MicroOpcode::barrier) continue;
    if (operations.by_pc[pc].ends_stretch || kind == MicroOpcode::branch) return false;
    count += program.code[pc].counter != 0 ? 1u : 0u;
  }
  return count < kMostInstructions;
}

}  // namespace

std::vector<bool> find_unrolled_loops(const Program& program, const Operations& operations) {
  std::set<std::uint32_t> constants;
  for (const FrameConstant& each : program.functions[0].constants) {
    if (each.source == FrameConstant::Source::bits) constants.insert(each.slot / kSlotBytes);
  }
  const LoopCounter counter(program, operations, constants);
  std::vector<bool> found(program.code.size(), false);
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const MicroOp& op = program.code[pc];
    if (op.kind != MicroOpcode::branch || op.guard_mode == MicroOp::Guard::always) continue;
    const StraightLoop loop{program.branches[op.extra].target, pc};
    found[pc] = loop.begin < pc && is_straight(program, operations, loop) && counter.is_counted(loop);
  }
  return found;
}

}  // namespace cudasim
