// SPDX-License-Identifier: MIT
#include "decode/analysis/liveness.h"

#include <utility>

namespace cudasim {
namespace {

using Bits = std::vector<std::uint64_t>;  // a bit a register

void set(Bits& bits, std::int32_t r) { bits[static_cast<std::size_t>(r) / 64] |= 1ull << (r % 64); }
void clear(Bits& bits, std::int32_t r) { bits[static_cast<std::size_t>(r) / 64] &= ~(1ull << (r % 64)); }
bool has(const Bits& bits, std::int32_t r) { return (bits[static_cast<std::size_t>(r) / 64] >> (r % 64) & 1) != 0; }

template <class Visit>
void for_each(const Bits& bits, const Visit& visit) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      visit(64 * w + static_cast<std::size_t>(__builtin_ctzll(left)));
  }
}

/// The usual backward analysis: a value is live where it is still read.
class LivenessPass {
 public:
  LivenessPass(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found)
      : function_(function),
        flow_(flow),
        found_(found),
        words_((function.registers.size() + 63) / 64),
        live_in_(flow.blocks.size(), Bits(words_, 0)) {}

  Liveness run() {
    find_live_in();
    Liveness result;
    result.unused.assign(function_.instructions.size(), false);
    result.ranges.resize(function_.registers.size());
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) find_ranges(b, result);
    result.undefined.assign(function_.registers.size(), false);
    if (!live_in_.empty()) for_each(live_in_[0], [&](std::size_t r) { result.undefined[r] = true; });
    for (const auto& bits : live_in_) {
      std::uint32_t pressure = 0;
      for_each(bits, [&](std::size_t r) { pressure += size_of(function_.registers[r].type) == 8 ? 2u : 1u; });
      result.registers = std::max(result.registers, pressure);
    }
    return result;
  }

 private:
  bool writes(std::uint32_t index) const {
    const InstructionDefinition* const row =
        found_[index].row;  // an instruction that is not simulated, and so refused, writes none
    return row != nullptr && writes_first_operand(*row);
  }

  /// A guarded write leaves the old value in some lanes; but it reads none.
  template <class Visit>
  void for_each_overwritten(std::uint32_t index, const Visit& visit) const {
    const auto& i = function_.instructions[index];
    if (writes(index) && i.guard < 0) for_each_register(i.operands[0], visit);
  }

  /// From the registers live behind an instruction to those live before it.
  void step_back(std::uint32_t index, Bits& live) const {
    const auto& i = function_.instructions[index];
    for_each_overwritten(index, [&](std::int32_t r) { clear(live, r); });
    if (i.guard >= 0) set(live, i.guard);
    for (std::size_t o = writes(index) ? 1 : 0; o < i.operands.size(); ++o) {
      for_each_register(i.operands[o], [&](std::int32_t r) { set(live, r); });
    }
  }

  void live_out(const BasicBlock& block, Bits& bits) const {
    std::fill(bits.begin(), bits.end(), 0);
    for (auto s : block.successors) {
      for (std::size_t w = 0; w < words_; ++w) bits[w] |= live_in_[s][w];
    }
  }

  void find_live_in() {
    // For each block by itself: what it reads from the blocks before it, and what it does not change.
    const auto& blocks = flow_.blocks;
    std::vector<Bits> reads(blocks.size(), Bits(words_, 0)), keeps_out(blocks.size(), Bits(words_, ~0ull));
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::uint32_t i = blocks[b].end; i-- > blocks[b].begin;) {
        step_back(i, reads[b]);
        for_each_overwritten(i, [&](std::int32_t r) { clear(keeps_out[b], r); });
      }
    }
    Bits live(words_, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks.size(); b-- > 0;) {
        live_out(blocks[b], live);
        for (std::size_t w = 0; w < words_; ++w) live[w] = (live[w] & keeps_out[b][w]) | reads[b][w];
        if (live != live_in_[b]) {
          live_in_[b] = live;
          changed = true;
        }
      }
    }
  }

  /// What the block adds to the ranges of registers, and which of its results are never read.
  void find_ranges(std::size_t b, Liveness& result) const {
    const auto& block = flow_.blocks[b];
    Bits live(words_, 0);
    live_out(block, live);
    if (block.begin != block.end) {
      for_each(live_in_[b], [&](std::size_t r) { result.ranges[r].include(block.begin); });
      for_each(live, [&](std::size_t r) { result.ranges[r].include(block.end - 1); });
    }
    for (std::uint32_t i = block.end; i-- > block.begin;) {
      const auto& instruction = function_.instructions[i];
      for (const auto& operand : instruction.operands) {
        for_each_register(operand, [&](std::int32_t r) { result.ranges[static_cast<std::size_t>(r)].include(i); });
      }
      if (instruction.guard >= 0) result.ranges[static_cast<std::size_t>(instruction.guard)].include(i);
      bool is_read = false;
      if (!instruction.operands.empty())
        for_each_register(instruction.operands[0], [&](std::int32_t r) { is_read |= has(live, r); });
      result.unused[i] = !is_read;
      step_back(i, live);
    }
  }

  const ptx::Function& function_;
  const ControlFlow& flow_;
  const std::vector<Found>& found_;
  const std::size_t words_;
  std::vector<Bits> live_in_;  // by block
};

}  // namespace

void for_each_register(const ptx::Operand& operand, const std::function<void(std::int32_t)>& visit) {
  if (operand.kind == ptx::Operand::Kind::reg) visit(operand.reg);
  for (const auto& element : operand.elements) for_each_register(element, visit);
}

std::vector<Found> find_rows(const ptx::Function& function) {
  std::vector<Found> found;
  found.reserve(function.instructions.size());
  for (const auto& instruction : function.instructions) found.push_back(find_row(instruction, best_level()));
  return found;
}

Liveness compute_liveness(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found) {
  return LivenessPass(function, flow, found).run();
}

const Analysis& Analyses::of(std::uint32_t function) {
  const auto known = known_.find(function);
  if (known != known_.end()) return known->second;
  const ptx::Function& text = text_.functions[function];
  Analysis analysis;
  analysis.flow = build_control_flow(text);
  analysis.found = find_rows(text);
  analysis.liveness = compute_liveness(text, analysis.flow, analysis.found);
  return known_.emplace(function, std::move(analysis)).first->second;
}

}  // namespace cudasim
