// SPDX-License-Identifier: MIT
// The control-flow graph of one PTX function and its immediate post-dominators: where lanes that went different ways
// meet again. Also which registers may be read before anything was written to them, and which results nobody reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "isa/instruction.h"
#include "ptx/module.h"

namespace cudasim {

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;  ///< instructions [begin, end)
  std::vector<std::uint32_t> successors, predecessors;
  std::int32_t post_dominator =
      -1;  ///< immediate post-dominator: a block; exit_block(); or -1 where no path leads to the end
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;       ///< in text order; a virtual exit block, with no instructions, comes last
  std::vector<std::uint32_t> block_of;  ///< instruction to block
  std::uint32_t exit_block() const { return static_cast<std::uint32_t>(blocks.size() - 1); }
};

/// The instruction indices to which `function`'s branch at `instruction` may jump (without falling through). Throws
/// std::runtime_error when a label is not there.
std::vector<std::uint32_t> branch_targets(const ptx::Function& function, const ptx::Instruction& instruction);

/// True for instructions that do not go on to the next one (unless guarded).
bool ends_block(const ptx::Instruction& instruction);

ControlFlow build_control_flow(const ptx::Function& function);

/// Immediate post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the
/// reversed graph. Called by build_control_flow.
void compute_post_dominators(ControlFlow& flow);

/// Instructions [first, last] in text order, between which the value of a register lives wherever control goes.
struct LiveRange {
  static constexpr std::uint32_t never = ~0u;
  std::uint32_t first = never, last = 0;  ///< first is `never` for a register that no instruction names
  bool is_empty() const { return first == never; }
  void include(std::uint32_t instruction) {
    first = std::min(first, instruction);
    last = std::max(last, instruction);
  }
};

struct Liveness {
  std::vector<bool> undefined;    ///< by register: may be read before it is written
  std::vector<LiveRange> ranges;  ///< by register
  std::uint32_t registers = 0;    ///< 32-bit registers live at the fullest point: an estimate of what ptxas needs
  std::vector<bool> unused;       ///< by instruction: no register that its first operand names is read afterwards
};
/// Also of those that it is made of.
void for_each_register(const ptx::Operand& operand, const std::function<void(std::int32_t)>& visit);
/// The row of each instruction.
std::vector<Found> find_rows(const ptx::Function& function);
/// `found`: what find_rows() gives.
Liveness compute_liveness(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found);

/// What is found out about a function before it is decoded.
struct Analysis {
  ControlFlow flow;
  std::vector<Found> found;  ///< what find_rows() gives
  Liveness liveness;
};

/// Of the functions of a text, which must outlive it: each is looked at when it is first asked for.
class Analyses {
 public:
  explicit Analyses(const ptx::Module& text) : text_(text) {}
  /// Throws std::runtime_error when a branch's label is not there.
  const Analysis& of(std::uint32_t function);
  /// A kernel that is decoded: nobody will ask again.
  void forget(std::uint32_t function) { known_.erase(function); }

 private:
  const ptx::Module& text_;
  std::map<std::uint32_t, Analysis> known_;
};

}  // namespace cudasim
