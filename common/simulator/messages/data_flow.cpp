// SPDX-License-Identifier: MIT
#include "messages/data_flow.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/instruction.h"
#include "program/paths.h"

namespace cudasim {
namespace {

template <class Visit>
void for_each_operand(const ptx::Operand& operand, const Visit& visit) {
  visit(operand);
  for (const auto& element : operand.elements) for_each_operand(element, visit);
}

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

bool is_of_thread(const std::string& special) {
  return begins_with(special, "%tid") || begins_with(special, "%lane") || begins_with(special, "%warpid") ||
         begins_with(special, "%clock");
}

/// Its result may differ between threads though its operands do not.
bool differs_by_itself(const std::string& opcode) {
  for (const char* name : {"atom", "shfl", "vote", "match", "activemask", "elect", "call"}) {
    if (begins_with(opcode, name)) return true;
  }
  return false;
}

/// Whether it writes its first operand: a register, a vector or a pair of them.
bool writes_first(const ptx::Instruction& instruction) {
  if (instruction.operands.empty()) return false;
  if (begins_with(instruction.opcode, "call")) return true;
  const Found found = find_row(instruction, best_level());
  return found.row != nullptr && writes_first_operand(*found.row);
}

}  // namespace

DataFlow::DataFlow(const ptx::Function& function) : function_(function), writers_(function.registers.size()) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    if (!writes_first(instruction)) continue;
    for_each_operand(instruction.operands[0], [&](const ptx::Operand& at) {
      if (at.reg >= 0) writers_[static_cast<std::size_t>(at.reg)].push_back(i);
    });
  }
}

Slice DataFlow::slice_of(std::int32_t reg) const {
  Slice slice;
  std::set<std::int32_t> seen;
  std::vector<std::int32_t> left;
  const auto follow = [&](std::int32_t next) {
    if (next >= 0 && seen.insert(next).second) left.push_back(next);
  };
  follow(reg);
  while (!left.empty()) {
    const auto wanted = static_cast<std::size_t>(left.back());
    left.pop_back();
    for (const std::uint32_t i : writers_[wanted]) {
      const ptx::Instruction& instruction = function_.instructions[i];
      slice.instructions.insert(i);
      slice.differs_by_thread |= differs_by_itself(instruction.opcode);
      follow(instruction.guard);
      for (std::size_t o = 1; o < instruction.operands.size(); ++o) {
        for_each_operand(instruction.operands[o], [&](const ptx::Operand& at) {
          follow(at.reg);
          slice.differs_by_thread |= at.kind == ptx::Operand::Kind::special && is_of_thread(at.name);
          slice.has_block |= at.kind == ptx::Operand::Kind::special && begins_with(at.name, "%ctaid");
        });
      }
    }
  }
  return slice;
}

TextPlace text_at(const Program& program, std::uint32_t counter) {
  const InstructionOrigin& origin = program.origins[counter];
  const ptx::Function* function = program.text->find_function(program.functions[origin.function].name);
  if (function == nullptr) return {};
  const auto& all = function->instructions;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& i) { return i.ptx_line == origin.ptx_line; });
  return found == all.end() ? TextPlace{} : TextPlace{function, &*found};
}

bool address_has_block(const Program& program, std::uint32_t counter) {
  const auto [function, access] = text_at(program, counter);
  if (function == nullptr) return false;
  const DataFlow flow(*function);
  return std::any_of(access->operands.begin(), access->operands.end(), [&](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::address && !operand.elements.empty() &&
           flow.slice_of(operand.elements[0].reg).has_block;
  });
}

std::vector<std::uint32_t> divergent_branches(const Program& program, std::uint32_t pc) {
  std::vector<std::uint32_t> result = branches_away_from(program, pc);
  if (result.empty()) return result;
  const ptx::Function* const function = text_at(program, result.front()).function;
  if (function == nullptr) return {};
  const DataFlow flow(*function);
  const auto is_uniform = [&](std::uint32_t counter) {
    const TextPlace at = text_at(program, counter);
    return at.function != function || !flow.slice_of(at.instruction->guard).differs_by_thread;
  };
  result.erase(std::remove_if(result.begin(), result.end(), is_uniform), result.end());
  return result;
}

}  // namespace cudasim
