// SPDX-License-Identifier: MIT
// A branch is a guard where it compares a register that the access's address is computed from, and that differs between
// threads. A number of up to a block's threads is no bound: `if (threadIdx.x < 32)` chooses threads.
#include "messages/guards.h"

#include <algorithm>
#include <set>

#include "messages/data_flow.h"
#include "program/paths.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

constexpr std::uint64_t kLargestChoice = 1024;

/// All registers that these instructions write.
std::set<std::int32_t> written_by(const ptx::Function& function, const std::set<std::uint32_t>& instructions) {
  std::set<std::int32_t> registers;
  for (const std::uint32_t i : instructions) registers.insert(function.instructions[i].operands[0].reg);
  return registers;
}

bool is_bound(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::reg ||
         (operand.kind == ptx::Operand::Kind::integer && operand.bits > kLargestChoice);
}

/// The line of a condition that stands in the statement of the access, as in `i < n ? in[i] : 0`: the last branch
/// before it leads past it. In a loop, both sides may still come to the access, in a later round.
std::string own_condition(const Program& program, std::uint32_t access) {
  const std::string line = line_text(program, program.code[access].counter);
  for (std::uint32_t pc = access; pc-- > 0;) {
    const MicroOp& op = program.code[pc];
    if (op.kind != MicroOpcode::branch) continue;
    const auto next = successors(program, pc);
    const bool leads_past = std::any_of(next.begin(), next.end(), [&](std::uint32_t to) { return to > access; });
    return leads_past && next.size() > 1 && op.counter != 0 && line_text(program, op.counter) == line ? line : "";
  }
  return "";
}

}  // namespace

std::string guard_of(const Program& program, int ptx_line) {
  const auto op = std::find_if(program.code.begin(), program.code.end(), [&](const MicroOp& o) {
    return o.counter != 0 && program.origins[o.counter].ptx_line == ptx_line;
  });
  if (op == program.code.end()) return "";
  const auto [function, access] = text_at(program, op->counter);
  if (function == nullptr) return "";
  const DataFlow flow(*function);
  std::set<std::int32_t> index;  // the registers of the address that differ between threads
  for (const ptx::Operand& operand : access->operands) {
    if (operand.kind != ptx::Operand::Kind::address || operand.elements.empty()) continue;
    index.merge(written_by(*function, flow.slice_of(operand.elements[0].reg).instructions));
  }
  const auto asks_for_index = [&, function = function](std::uint32_t i) {
    const ptx::Instruction& compare = function->instructions[i];
    if (compare.opcode.rfind("setp", 0) != 0 || compare.operands.size() < 3) return false;
    const auto is_index = [&](const ptx::Operand& operand) {
      return operand.reg >= 0 && index.count(operand.reg) != 0 && flow.slice_of(operand.reg).differs_by_thread;
    };
    const ptx::Operand &a = compare.operands[1], &b = compare.operands[2];
    return (is_index(a) && is_bound(b)) || (is_index(b) && is_bound(a));
  };
  const auto branches = divergent_branches(program, static_cast<std::uint32_t>(op - program.code.begin()));
  for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) {
    const TextPlace at = text_at(program, *branch);
    const auto conditions = flow.slice_of(at.instruction->guard).instructions;
    if (std::any_of(conditions.begin(), conditions.end(), asks_for_index)) return line_text(program, *branch);
  }
  return own_condition(program, static_cast<std::uint32_t>(op - program.code.begin()));
}

}  // namespace cudasim
