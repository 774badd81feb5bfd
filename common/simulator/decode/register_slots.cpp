// SPDX-License-Identifier: MIT
#include "decode/register_slots.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

namespace cudasim {

RegisterUses register_uses(const ptx::Function& function, const std::vector<Found>& found, const Liveness& liveness) {
  RegisterUses uses;
  uses.writes.assign(function.registers.size(), 0);
  for (std::size_t r = 0; r < function.registers.size(); ++r) uses.writes[r] = liveness.undefined[r] ? 1 : 0;
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    const auto& instruction = function.instructions[i];
    const bool writes = found[i].row != nullptr && writes_first_operand(*found[i].row);
    for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
      for_each_register(instruction.operands[o], [&](std::int32_t r) {
        if (writes && o == 0) {
          ++uses.writes[static_cast<std::size_t>(r)];
        } else {
          uses.reads.push_back(static_cast<std::size_t>(r));
        }
      });
    }
    if (instruction.guard >= 0) uses.reads.push_back(static_cast<std::size_t>(instruction.guard));
  }
  return uses;
}

std::vector<bool> may_be_known(const ptx::Function& kernel, const std::vector<Found>& found, const RegisterUses& uses) {
  std::vector<bool> result(kernel.registers.size(), false);
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const auto& instruction = kernel.instructions[i];
    const auto& operands = instruction.operands;
    if (found[i].row == nullptr || instruction.guard >= 0 || operands.empty()) continue;
    const auto destination = static_cast<std::size_t>(operands[0].reg);
    if (operands[0].kind != ptx::Operand::Kind::reg || uses.writes[destination] != 1) continue;
    bool are_known = is_pure(*found[i].row) || instruction.opcode.rfind("ld.param", 0) == 0;
    for (std::size_t o = 1; o < operands.size(); ++o) {
      for_each_register(operands[o],
                        [&](std::int32_t r) { are_known = are_known && result[static_cast<std::size_t>(r)]; });
    }
    result[destination] = are_known;
  }
  return result;
}

std::vector<std::uint32_t> place_registers(const ptx::Function& function, const Liveness& liveness,
                                           const std::vector<bool>& keeps_slot,
                                           const std::function<std::uint32_t(FrameConstant::Width)>& new_slot) {
  const std::size_t registers = function.registers.size();
  std::vector<std::uint32_t> result(registers, 0);
  std::vector<std::size_t> order;  // by where they begin
  for (std::size_t r = 0; r < registers; ++r) {
    if (liveness.ranges[r].is_empty()) continue;
    if (keeps_slot[r]) {
      result[r] = new_slot(slot_width(function.registers[r].type));
    } else {
      order.push_back(r);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return liveness.ranges[a].first < liveness.ranges[b].first; });
  using End = std::pair<std::uint32_t, std::uint32_t>;  // the last instruction of the register there, and its slot
  struct Slots {
    std::priority_queue<End, std::vector<End>, std::greater<>> taken;
    std::vector<std::uint32_t> free;
  };
  std::map<FrameConstant::Width, Slots> slots;
  for (const std::size_t r : order) {
    const auto width = slot_width(function.registers[r].type);
    const auto& range = liveness.ranges[r];
    auto& [taken, free] = slots[width];
    for (; !taken.empty() && taken.top().first < range.first; taken.pop()) free.push_back(taken.top().second);
    if (free.empty()) free.push_back(new_slot(width));
    result[r] = free.back();
    free.pop_back();
    taken.emplace(range.last, result[r]);
  }
  return result;
}

}  // namespace cudasim
