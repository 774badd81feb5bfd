// SPDX-License-Identifier: MIT
#include "decode/analysis/address_forms.h"

#include <algorithm>

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

void collect_names(const ptx::Operand& operand, std::map<std::string, std::uint32_t>& names) {
  if (operand.kind == Kinds::name) names.emplace(operand.name, 0);
  for (const auto& element : operand.elements) collect_names(element, names);
}

bool is_integer(const Found& found) {
  return std::none_of(found.tokens.begin(), found.tokens.end(), [](std::string_view token) {
    return token == "f16" || token == "f32" || token == "f64" || token == "bf16";
  });
}

/// Wraps around as registers do: PTX is untrusted, and its numbers may be of any size.
std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

AddressForms::AddressForms(const ptx::Function& function, const std::vector<Found>& found, const SharedOffsets& shared)
    : function_(function), found_(found), definitions_(function.registers.size(), 0) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    for_each_written(i, [&](std::int32_t reg) { ++definitions_[static_cast<std::size_t>(reg)]; });
    for (const auto& operand : function.instructions[i].operands) collect_names(operand, name_roots_);
  }
  std::uint32_t root = first_name_root();
  for (auto& [name, number] : name_roots_) {
    number = root++;
    const auto known = shared.find(name);
    const unsigned bits = known == shared.end() ? 0
                          : known->second == 0  ? kMostZeroBits
                                                : static_cast<unsigned>(__builtin_ctz(known->second));
    name_zero_bits_.push_back(std::min(bits, kMostZeroBits));
  }
  name_zero_bits_.push_back(0);  // zero bits of numbers
  find_zero_bits();
  for (std::size_t r = 0; r < definitions_.size(); ++r) once_.push_back({static_cast<std::uint32_t>(r), 0});
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    Form result;
    if (!writes(i) || function.instructions[i].operands[0].kind != Kinds::reg) continue;
    const std::int32_t reg = function.instructions[i].operands[0].reg;
    const ptx::Operand& source = function.instructions[i].operands[1];
    const bool is_fixed = source.kind != Kinds::reg || definitions_[static_cast<std::size_t>(source.reg)] == 1;
    if (definitions_[static_cast<std::size_t>(reg)] == 1 && is_fixed && follows(i, result))
      once_[static_cast<std::size_t>(reg)] = result;
  }
}

bool AddressForms::writes(std::uint32_t instruction) const {
  const auto& i = function_.instructions[instruction];
  const InstructionDefinition* row = found_[instruction].row;
  return row != nullptr && writes_first_operand(*row) && i.operands.size() > 1;
}

template <class Visit>
void AddressForms::for_each_written(std::uint32_t instruction, Visit visit) const {
  if (!writes(instruction)) return;
  const auto& first = function_.instructions[instruction].operands[0];
  if (first.kind == Kinds::reg) visit(first.reg);
  for (const auto& element : first.elements) {
    if (element.kind == Kinds::reg) visit(element.reg);
  }
}

AddressForms::Form AddressForms::form(std::int32_t reg) const {
  if (definitions_[static_cast<std::size_t>(reg)] == 1) return once_[static_cast<std::size_t>(reg)];
  const auto known = now_.find(reg);
  return known != now_.end() ? known->second : Form{static_cast<std::uint32_t>(reg), 0};
}

AddressForms::Form AddressForms::form(const std::string& name, std::int64_t offset) const {
  return {name_roots_.at(name), offset};
}

AddressForms::Form AddressForms::of(const ptx::Operand& address) const {
  Form result{static_cast<std::uint32_t>(first_name_root() + name_roots_.size()), 0};  // the root of a number
  if (address.elements.empty()) return result;  // no address: the decoder reports it
  const auto& base = address.elements[0];
  if (base.kind == Kinds::reg) result = form(base.reg);
  if (base.kind == Kinds::name) result = form(base.name, base.offset);
  result.offset = wrapped_sum(result.offset, address.offset);
  return result;
}

/// Whether the instruction's result lies a fixed distance from a register or a name, and from which.
bool AddressForms::follows(std::uint32_t instruction, Form& result) const {
  const auto& i = function_.instructions[instruction];
  const Found& found = found_[instruction];
  if (i.guard >= 0 || !is_integer(found)) return false;
  const auto& source = i.operands[1];
  if (source.kind == Kinds::name && found.name() == "mov") {
    result = form(source.name, source.offset);
    return true;
  }
  if (source.kind != Kinds::reg) return false;
  result = form(source.reg);
  if (found.name() == "mov" || found.name() == "cvta" || found.name() == "cvt") return true;
  if (found.name() != "add" && found.name() != "sub") return false;
  if (i.operands.size() != 3 || i.operands[2].kind != Kinds::integer) return false;
  const auto distance = static_cast<std::int64_t>(i.operands[2].bits);
  result.offset = wrapped_sum(result.offset, found.name() == "add" ? distance : wrapped_sum(~distance, 1));
  return true;
}

void AddressForms::step(std::uint32_t instruction) {
  Form result;
  const bool known = writes(instruction) && function_.instructions[instruction].operands[0].kind == Kinds::reg &&
                     follows(instruction, result);
  if (!known) return perhaps(instruction);
  const std::int32_t reg = function_.instructions[instruction].operands[0].reg;
  if (definitions_[static_cast<std::size_t>(reg)] > 1) now_[reg] = result;
}

void AddressForms::perhaps(std::uint32_t instruction) {
  for_each_written(instruction, [&](std::int32_t reg) {
    // A new value without a name, whose root is the instruction's: one root where it was made, another one behind it.
    const bool again = now_.count(reg) != 0 && now_[reg].root == definitions_.size() + 2 * instruction;
    if (definitions_[static_cast<std::size_t>(reg)] > 1)
      now_[reg] = {static_cast<std::uint32_t>(definitions_.size() + 2 * instruction + (again ? 1 : 0)), 0};
  });
}

unsigned AddressForms::zero_bits(std::uint32_t root) const {
  if (root < definitions_.size()) return zero_bits_[root];
  if (root >= first_name_root()) return name_zero_bits_[root - first_name_root()];
  const auto instruction = static_cast<std::uint32_t>((root - definitions_.size()) / 2);
  unsigned bits = kMostZeroBits;
  for_each_written(instruction,
                   [&](std::int32_t reg) { bits = std::min(bits, zero_bits_[static_cast<std::size_t>(reg)]); });
  return bits;
}

unsigned AddressForms::zero_bits(const ptx::Operand& operand) const {
  auto of_number = [](std::uint64_t number) {
    return number == 0 ? kMostZeroBits : std::min(static_cast<unsigned>(__builtin_ctzll(number)), kMostZeroBits);
  };
  switch (operand.kind) {
    case Kinds::reg:
      return zero_bits_[static_cast<std::size_t>(operand.reg)];
    case Kinds::integer:
      return of_number(operand.bits);
    case Kinds::name:
      return std::min(zero_bits(name_roots_.at(operand.name)), of_number(static_cast<std::uint64_t>(operand.offset)));
    default:
      return 0;
  }
}

unsigned AddressForms::zero_bits_written(std::uint32_t instruction) const {
  const auto& operands = function_.instructions[instruction].operands;
  const Found& found = found_[instruction];
  if (operands[0].kind != Kinds::reg || !is_integer(found)) return 0;
  const std::string_view name = found.name();
  const unsigned a = zero_bits(operands[1]);
  if (name == "mov" || name == "cvta" || name == "cvt" || name == "neg" || name == "abs") return a;
  if (operands.size() < 3) return 0;
  const unsigned b = zero_bits(operands[2]);
  if (name == "add" || name == "sub" || name == "or" || name == "xor" || name == "min" || name == "max" ||
      name == "selp")
    return std::min(a, b);
  if (name == "and") return std::max(a, b);
  if (name == "shl" && operands[2].kind == Kinds::integer)
    return static_cast<unsigned>(
        std::min<std::uint64_t>(a + std::min<std::uint64_t>(operands[2].bits, kMostZeroBits), kMostZeroBits));
  const bool multiplies = found.has("lo") || found.has("wide");
  const unsigned product = std::min(a + b, kMostZeroBits);
  if (name == "mul" && multiplies) return product;
  if (name == "mad" && multiplies && operands.size() == 4) return std::min(product, zero_bits(operands[3]));
  return 0;
}

/// The largest count that holds for all instructions that write a register. The search begins with all bits.
void AddressForms::find_zero_bits() {
  zero_bits_.assign(definitions_.size(), kMostZeroBits);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      if (!writes(i)) continue;
      const unsigned bits = zero_bits_written(i);
      for_each_written(i, [&](std::int32_t reg) {
        auto& known = zero_bits_[static_cast<std::size_t>(reg)];
        changed |= bits < known;
        known = std::min(known, bits);
      });
    }
  }
}

}  // namespace cudasim
