// SPDX-License-Identifier: MIT
#include "decode/analysis/control_flow.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace cudasim {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool is_opcode(const ptx::Instruction& i, std::string_view name) {
  return i.opcode == name || (starts_with(i.opcode, name) && i.opcode[name.size()] == '.');
}

}  // namespace

BranchTargets::BranchTargets(const ptx::Function& function) : function_(function) {
  for (const auto& label : function.labels) labels_.emplace(label.name, label.instruction);
  for (const auto& list : function.branch_targets) lists_.emplace(list.name, &list);
}

std::uint32_t BranchTargets::position(const std::string& label) const {
  const auto found = labels_.find(label);
  if (found != labels_.end()) return found->second;
  throw std::runtime_error("label '" + label + "' is not defined in '" + function_.name + "'");
}

std::vector<std::uint32_t> BranchTargets::of(const ptx::Instruction& i) const {
  if (is_opcode(i, "bra")) {
    if (i.operands.size() != 1) throw std::runtime_error("bra without a target");
    return {position(i.operands[0].name)};
  }
  if (is_opcode(i, "brx")) {
    if (i.operands.size() != 2) throw std::runtime_error("brx.idx takes an index and a list of targets");
    const auto list = lists_.find(i.operands[1].name);
    if (list == lists_.end()) throw std::runtime_error("no .branchtargets '" + i.operands[1].name + "'");
    std::vector<std::uint32_t> targets;
    for (const auto& label : list->second->labels) targets.push_back(position(label));
    return targets;
  }
  return {};
}

bool ends_block(const ptx::Instruction& i) {
  return is_opcode(i, "bra") || is_opcode(i, "brx") || is_opcode(i, "ret") || is_opcode(i, "exit") ||
         is_opcode(i, "trap");
}

ControlFlow build_control_flow(const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  std::vector<std::vector<std::uint32_t>> targets(count);
  const BranchTargets branches(function);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& instruction = function.instructions[i];
    if (!ends_block(instruction)) continue;
    leader[i + 1] = true;
    targets[i] = branches.of(instruction);
    for (auto target : targets[i]) leader[target] = true;
  }
  ControlFlow flow;
  flow.block_of.resize(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leader[i]) {
      flow.blocks.emplace_back();
      flow.blocks.back().begin = i;
    }
    flow.block_of[i] = static_cast<std::uint32_t>(flow.blocks.size() - 1);
    flow.blocks.back().end = i + 1;
  }
  flow.blocks.emplace_back();  // the virtual exit
  flow.blocks.back().begin = flow.blocks.back().end = count;
  flow.block_of[count] = flow.exit_block();
  for (std::uint32_t b = 0; b < flow.exit_block(); ++b) {
    auto& block = flow.blocks[b];
    const auto last = block.end - 1;
    const auto& instruction = function.instructions[last];
    auto add = [&](std::uint32_t to) {
      if (std::find(block.successors.begin(), block.successors.end(), to) != block.successors.end()) return;
      block.successors.push_back(to);
      flow.blocks[to].predecessors.push_back(b);
    };
    if (!ends_block(instruction) || instruction.guard >= 0) add(flow.block_of[block.end]);
    for (auto target : targets[last]) add(flow.block_of[target]);
    if (ends_block(instruction) && targets[last].empty()) add(flow.exit_block());
  }
  compute_post_dominators(flow);
  return flow;
}

void compute_post_dominators(ControlFlow& flow) {
  const auto count = flow.blocks.size();
  const auto exit = flow.exit_block();
  // Post-order of the reversed graph from the exit, without recursion: the graph comes from untrusted text.
  std::vector<std::int32_t> number(count, -1);
  std::vector<std::uint32_t> order;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
  std::vector<bool> seen(count, false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const auto& predecessors = flow.blocks[block].predecessors;
    if (next < predecessors.size()) {
      const auto p = predecessors[next++];
      if (!seen[p]) {
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
    } else {
      number[block] = static_cast<std::int32_t>(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  for (auto& block : flow.blocks) block.post_dominator = -1;
  flow.blocks[exit].post_dominator = static_cast<std::int32_t>(exit);
  auto intersect = [&](std::int32_t a, std::int32_t b) {
    while (a != b) {
      while (number[static_cast<std::size_t>(a)] < number[static_cast<std::size_t>(b)])
        a = flow.blocks[static_cast<std::size_t>(a)].post_dominator;
      while (number[static_cast<std::size_t>(b)] < number[static_cast<std::size_t>(a)])
        b = flow.blocks[static_cast<std::size_t>(b)].post_dominator;
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == exit) continue;
      std::int32_t merged = -1;
      for (auto s : flow.blocks[*it].successors) {
        if (number[s] < 0 || flow.blocks[s].post_dominator < 0) continue;
        merged = merged < 0 ? static_cast<std::int32_t>(s) : intersect(merged, static_cast<std::int32_t>(s));
      }
      if (merged != flow.blocks[*it].post_dominator) {
        flow.blocks[*it].post_dominator = merged;
        changed = true;
      }
    }
  }
}

}  // namespace cudasim
