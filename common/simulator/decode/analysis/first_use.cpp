// SPDX-License-Identifier: MIT
#include "decode/analysis/first_use.h"

#include <algorithm>

#include "decode/analysis/liveness.h"

namespace cudasim {
namespace {

using RegisterNumbers = std::vector<std::int32_t>;

bool reads(const ptx::Instruction& instruction, const Found& found, const RegisterNumbers& wanted) {
  const auto is_wanted = [&](std::int32_t r) { return std::find(wanted.begin(), wanted.end(), r) != wanted.end(); };
  if (is_wanted(instruction.guard)) return true;
  bool result = false;
  const bool skips_first = found.row != nullptr && writes_first_operand(*found.row);
  for (std::size_t o = skips_first ? 1 : 0; o < instruction.operands.size(); ++o)
    for_each_register(instruction.operands[o], [&](std::int32_t r) { result |= is_wanted(r); });
  return result;
}

}  // namespace

bool is_used_early(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found,
                   std::uint32_t load) {
  RegisterNumbers wanted;
  for_each_register(function.instructions[load].operands[0], [&](std::int32_t r) { wanted.push_back(r); });
  std::vector<std::uint32_t> seen{load}, front{load};
  for (unsigned step = 0; step < kEarlyUse && !front.empty(); ++step) {
    std::vector<std::uint32_t> next;
    const auto go_to = [&](std::uint32_t i) {
      if (i >= function.instructions.size() || std::find(seen.begin(), seen.end(), i) != seen.end()) return;
      seen.push_back(i);
      next.push_back(i);
    };
    for (const std::uint32_t i : front) {
      const BasicBlock& block = flow.blocks[flow.block_of[i]];
      if (i + 1 < block.end) {
        go_to(i + 1);
      } else {
        for (const std::uint32_t successor : block.successors) go_to(flow.blocks[successor].begin);
      }
    }
    for (const std::uint32_t i : next) {
      if (reads(function.instructions[i], found[i], wanted)) return true;
    }
    front = std::move(next);
  }
  return false;
}

}  // namespace cudasim
