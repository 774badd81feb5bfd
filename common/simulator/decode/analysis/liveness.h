// SPDX-License-Identifier: MIT
// Liveness: where the values of registers live. It decides which registers may share a slot, and which results are
// never read.
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

/// Instructions [first, last] in text order, between which the value of a register lives on all paths.
struct LiveRange {
  static constexpr std::uint32_t kNever = ~0u;
  std::uint32_t first = kNever, last = 0;  ///< first is `kNever` for a register that no instruction names
  bool is_empty() const { return first == kNever; }
  void include(std::uint32_t instruction) {
    first = std::min(first, instruction);
    last = std::max(last, instruction);
  }
};

struct Liveness {
  std::vector<bool> undefined;    ///< By register: may be read before it is written.
  std::vector<LiveRange> ranges;  ///< By register.
  std::uint32_t registers = 0;    ///< 32-bit registers live at the fullest point: an estimate of what ptxas needs.
  std::vector<bool> unused;       ///< By instruction: no register that its first operand names is read afterwards.
};
/// The registers of an operand, with those of its elements.
void for_each_register(const ptx::Operand& operand, const std::function<void(std::int32_t)>& visit);
/// The row of each instruction.
std::vector<Found> find_rows(const ptx::Function& function);
/// `found`: the result of find_rows().
Liveness compute_liveness(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found);

/// The analyses of a function before it is decoded.
struct Analysis {
  ControlFlow flow;
  std::vector<Found> found;  ///< the result of find_rows()
  Liveness liveness;
};

/// The analyses of a text's functions. The text must outlive it. Each function is analysed at its first use.
class Analyses {
 public:
  explicit Analyses(const ptx::Module& text) : text_(text) {}
  /// Throws std::runtime_error when a branch's label is not there.
  const Analysis& of(std::uint32_t function);
  /// Frees the analyses of a kernel that is decoded, as they are not needed again.
  void forget(std::uint32_t function) { known_.erase(function); }

 private:
  const ptx::Module& text_;
  std::map<std::uint32_t, Analysis> known_;
};

}  // namespace cudasim
