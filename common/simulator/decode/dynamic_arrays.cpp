// SPDX-License-Identifier: MIT
// A register belongs to an array if each instruction that writes it computes with the address of this array, or with a
// register of it, and with those of no other. What is loaded from memory belongs to none.
#include "decode/dynamic_arrays.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace cudasim {
namespace {

using Kind = ptx::Operand::Kind;
using Arrays = std::unordered_map<std::string, std::uint8_t>;

constexpr std::uint8_t kNone = 0, kSeveral = 255;

std::uint8_t join(std::uint8_t a, std::uint8_t b) { return a == kNone || a == b ? b : b == kNone ? a : kSeveral; }

bool begins_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

class Registers {
 public:
  Registers(const ptx::Function& function, const Arrays& arrays)
      : arrays_(arrays), of_register_(function.registers.size(), kNone) {
    for (bool changes = true; changes;) {
      changes = false;
      for (const ptx::Instruction& instruction : function.instructions) changes |= take(instruction);
    }
  }

  std::uint8_t of(const ptx::Operand& operand) const {
    if (operand.kind == Kind::reg) return of_register_[static_cast<std::size_t>(operand.reg)];
    if (operand.kind == Kind::name) {
      const auto found = arrays_.find(operand.name);
      return found == arrays_.end() ? kNone : found->second;
    }
    return operand.kind == Kind::address && !operand.elements.empty() ? of(operand.elements[0]) : kNone;
  }

 private:
  /// Whether it tells something new.
  bool take(const ptx::Instruction& instruction) {
    static constexpr const char* kCompute[] = {"mov.", "add.", "sub.", "mad.", "cvta.", "cvt.", "or.", "and.", "selp."};
    bool computes = false;
    for (const char* name : kCompute) computes |= begins_with(instruction.opcode, name);
    const auto& operands = instruction.operands;
    if (!computes || operands.empty() || operands[0].kind != Kind::reg) return false;
    std::uint8_t& result = of_register_[static_cast<std::size_t>(operands[0].reg)];
    std::uint8_t now = result;
    for (std::size_t i = 1; i < operands.size(); ++i) now = join(now, of(operands[i]));
    return now != std::exchange(result, now);
  }

  const Arrays& arrays_;
  std::vector<std::uint8_t> of_register_;
};

/// The array of the address of a load, a store or an atomic.
std::uint8_t array_of(const Registers& registers, const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind != Kind::address) continue;
    const std::uint8_t array = registers.of(operand);
    return array == kSeveral ? kNone : array;
  }
  return kNone;
}

}  // namespace

std::vector<std::uint8_t> dynamic_arrays_of(const Program& program, const std::vector<std::uint32_t>& reachable) {
  Arrays arrays;
  for (std::size_t i = 0; i < program.shared.size() && i + 1 < kSeveral; ++i) {
    if (program.shared[i].size_bytes == 0) arrays[program.shared[i].name] = static_cast<std::uint8_t>(i + 1);
  }
  if (arrays.size() < 2) return {};
  std::vector<std::uint8_t> result(program.origins.size(), kNone);
  for (std::uint32_t f = 0; f < reachable.size(); ++f) {
    const ptx::Function& function = program.text->functions[reachable[f]];
    const Registers registers(function, arrays);
    std::unordered_map<std::int32_t, std::uint8_t> by_line;
    for (const ptx::Instruction& instruction : function.instructions)
      by_line[instruction.ptx_line] = array_of(registers, instruction);
    for (std::size_t i = 1; i < program.origins.size(); ++i) {
      const auto found = by_line.find(program.origins[i].ptx_line);
      if (program.origins[i].function == f && found != by_line.end()) result[i] = found->second;
    }
  }
  return result;
}

}  // namespace cudasim
