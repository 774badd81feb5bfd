// SPDX-License-Identifier: MIT
#include "decode/ptxas_model/predication.h"

#include <algorithm>
#include <set>

namespace cudasim {
namespace {

using Kinds = ptx::Operand::Kind;

/// A way of more machine instructions than this stays behind a branch; but loads of global memory may as well begin at
/// once.
constexpr unsigned kMostInstructions = 8, kMostBesideGlobalLoads = 20;

/// The blocks of straight code from `block` to `meeting`, which nothing else leads to.
std::optional<std::vector<std::uint32_t>> way(const ControlFlow& flow, std::uint32_t block, std::uint32_t meeting) {
  std::vector<std::uint32_t> blocks;
  while (block != meeting) {
    const auto& here = flow.blocks[block];
    if (block == flow.exit_block() || here.predecessors.size() != 1 || here.successors.size() != 1) return {};
    blocks.push_back(block);
    block = here.successors[0];
  }
  return blocks;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// About how many machine instructions a PTX instruction becomes. `products`: registers with products or shifts, which
/// a following addition absorbs.
unsigned cost(const ptx::Instruction& instruction, const Found& found, std::set<std::int32_t>& products) {
  const std::string_view name = found.name();
  const auto& operands = instruction.operands;
  const bool is_wide = !found.tokens.empty() && is_one_of(found.tokens.back(), {"u64", "s64", "b64"});
  const bool is_pointer = name == "mul" && found.has("wide");
  if (is_one_of(name, {"mov", "cvta", "bra"})) {
    return 0;
  }
  if (name == "cvt" && found.has("u64") && found.has("u32")) return 0;
  if (name == "shl" || is_pointer || (name == "mul" && found.has("lo"))) {
    if (operands[0].kind == Kinds::reg) products.insert(operands[0].reg);
    return name == "mul" && is_wide && !is_pointer ? 4 : 1;
  }
  if (name == "add" && operands.size() == 3) {
    if (operands[2].kind == Kinds::integer && is_wide) return 0;  // in the displacement of an access
    for (unsigned i : {1u, 2u})
      if (operands[i].kind == Kinds::reg && products.count(operands[i].reg) != 0) return 0;
    const bool is_float = found.has("f32") || found.has("f64");
    return is_wide && !is_float ? 2 : 1;
  }
  if (name == "mad" && is_wide) return 4;
  if (is_one_of(name, {"div", "rem", "sqrt", "sin", "cos"})) return 16;
  return 1;
}

}  // namespace

bool is_load_or_store(const Found& found) {
  return found.row != nullptr && (found.name() == "ld" || found.name() == "st");
}
bool is_shared(const Found& found) { return found.has("shared") || found.has("shared::cta"); }
bool is_generic(const Found& found) {
  return !is_shared(found) && !found.has("global") && !found.has("local") && !found.has("const") &&
         !found.has("param") && !found.has("param::entry") && !found.has("param::func");
}

std::optional<Fork> find_fork(const ControlFlow& flow, std::uint32_t block) {
  const auto& successors = flow.blocks[block].successors;
  const std::int32_t meeting = flow.blocks[block].post_dominator;
  if (successors.size() != 2 || meeting < 0) return {};
  // A block's successors: the next block first, unless it cannot be reached, then the target of its branch.
  const auto fall = way(flow, successors[0], static_cast<std::uint32_t>(meeting));
  const auto jump = way(flow, successors[1], static_cast<std::uint32_t>(meeting));
  if (!fall || !jump) return {};
  const bool is_closed = flow.blocks[static_cast<std::size_t>(meeting)].predecessors.size() == 2;
  return Fork{block, static_cast<std::uint32_t>(meeting), is_closed, *jump, *fall};
}

bool becomes_predicate(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found,
                       const Fork& fork, bool waits) {
  // Where the kernel ends, ptxas lets lanes leave instead.
  const auto& meeting = flow.blocks[fork.meeting];
  if (fork.meeting == flow.exit_block() || is_one_of(found[meeting.begin].name(), {"ret", "exit"})) return false;
  unsigned instructions = 0;
  bool loads_global = false, stores = false;
  std::set<std::int32_t> products;
  for (const auto* way : {&fork.fall, &fork.jump}) {
    for (auto block : *way) {
      for (std::uint32_t i = flow.blocks[block].begin; i < flow.blocks[block].end; ++i) {
        if (found[i].row == nullptr) return false;
        const std::string_view name = found[i].name();
        const bool stays = is_one_of(name, {"atom", "red", "call", "bar", "barrier", "shfl", "vote", "match",
                                            "activemask", "membar", "fence", "cp", "ret", "exit", "trap"});
        if (stays || (function.instructions[i].guard >= 0 && name != "bra")) return false;
        loads_global |= name == "ld" && found[i].has("global");
        stores |= name == "st";
        instructions += cost(function.instructions[i], found[i], products);
      }
    }
  }
  if (!loads_global) return instructions <= kMostInstructions;
  if (instructions > kMostBesideGlobalLoads) return false;
  if (!stores) return true;
  return !stores || waits;
}

}  // namespace cudasim
