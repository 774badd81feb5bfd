// SPDX-License-Identifier: MIT
// The control-flow graph of one PTX function and its immediate post-dominators: where lanes that went different ways
// meet again. It also finds registers that may be read before their first write, and results that are never read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// The labels of a function by name: a text may have hundreds of thousands. It refers to the function.
class BranchTargets {
 public:
  explicit BranchTargets(const ptx::Function& function);
  /// The instruction indices to which the function's branch may jump (without falling through). Throws
  /// std::runtime_error when a label is not there.
  std::vector<std::uint32_t> of(const ptx::Instruction& branch) const;

 private:
  std::uint32_t position(const std::string& label) const;

  const ptx::Function& function_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::unordered_map<std::string_view, const ptx::Function::BranchTargets*> lists_;
};

/// True for instructions that do not go on to the next one (unless guarded).
bool ends_block(const ptx::Instruction& instruction);

ControlFlow build_control_flow(const ptx::Function& function);

/// Immediate post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the
/// reversed graph. Called by build_control_flow.
void compute_post_dominators(ControlFlow& flow);

}  // namespace cudasim
