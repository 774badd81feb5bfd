// SPDX-License-Identifier: MIT
#include "decode/volatile_updates.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace cudasim {
namespace {

using Kind = ptx::Operand::Kind;

bool is_named(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

/// The registers whose values are computed from that of register `begin`.
std::vector<bool> computed_from(const ptx::Function& function, std::int32_t begin) {
  std::vector<bool> depends(function.registers.size(), false);
  depends[static_cast<std::size_t>(begin)] = true;
  for (bool changes = true; changes;) {
    changes = false;
    for (const ptx::Instruction& instruction : function.instructions) {
      const auto& operands = instruction.operands;
      const bool computes = !operands.empty() && operands[0].kind == Kind::reg && !is_named(instruction.opcode, "ld") &&
                            !is_named(instruction.opcode, "atom") && !is_named(instruction.opcode, "st");
      if (!computes || depends[static_cast<std::size_t>(operands[0].reg)]) continue;
      const bool reads = std::any_of(operands.begin() + 1, operands.end(), [&](const ptx::Operand& operand) {
        return operand.kind == Kind::reg && depends[static_cast<std::size_t>(operand.reg)];
      });
      if (!reads) continue;
      depends[static_cast<std::size_t>(operands[0].reg)] = true;
      changes = true;
    }
  }
  return depends;
}

bool is_same_place(const ptx::Operand& a, const ptx::Operand& b) {
  const auto base_of = [](const ptx::Operand& address) {
    return address.elements.size() == 1 && address.elements[0].kind == Kind::reg ? address.elements[0].reg : -1;
  };
  return a.kind == Kind::address && b.kind == Kind::address && base_of(a) >= 0 && base_of(a) == base_of(b) &&
         a.offset == b.offset;
}

/// By line of PTX.
std::unordered_map<std::int32_t, VolatileUpdate> updates_of(const ptx::Function& function) {
  std::unordered_map<std::int32_t, VolatileUpdate> updates;
  for (const ptx::Instruction& load : function.instructions) {
    if (!is_named(load.opcode, "ld.volatile") || load.operands.size() < 2 || load.operands[0].kind != Kind::reg)
      continue;
    const std::vector<bool> depends = computed_from(function, load.operands[0].reg);
    for (const ptx::Instruction& store : function.instructions) {
      if (!is_named(store.opcode, "st.volatile") || store.operands.size() < 2) continue;
      const ptx::Operand& value = store.operands[1];
      if (value.kind != Kind::reg || !depends[static_cast<std::size_t>(value.reg)]) continue;
      if (!is_same_place(load.operands[1], store.operands[0])) continue;
      updates[load.ptx_line] = VolatileUpdate::load;
      updates[store.ptx_line] = VolatileUpdate::store;
    }
  }
  return updates;
}

}  // namespace

std::vector<VolatileUpdate> volatile_updates_of(const Program& program, const std::vector<std::uint32_t>& reachable) {
  std::vector<VolatileUpdate> result;
  if (!program.order_sensitive) return result;  // it has no volatile access to global memory
  for (std::uint32_t f = 0; f < reachable.size(); ++f) {
    const auto updates = updates_of(program.text->functions[reachable[f]]);
    if (updates.empty()) continue;
    result.resize(program.origins.size(), VolatileUpdate::none);
    for (std::size_t i = 1; i < program.origins.size(); ++i) {
      const auto found = updates.find(program.origins[i].ptx_line);
      if (program.origins[i].function == f && found != updates.end()) result[i] = found->second;
    }
  }
  return result;
}

}  // namespace cudasim
