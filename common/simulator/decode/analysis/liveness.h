// SPDX-License-Identifier: MIT
// Where the values of registers live, which tells what may share a slot, and what is never read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "decode/analysis/control_flow.h"
#include "isa/instruction.h"
#include "ptx/module.h"

namespace cudasim {

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
