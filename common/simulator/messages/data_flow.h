// SPDX-License-Identifier: MIT
// What a value is computed from (compilers: a backward slice), by the text of the PTX. It is searched when the text of
// a finding is made. It goes from register to register, and past memory only by the address of a load.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "program/program.h"

namespace cudasim {

struct Slice {
  std::set<std::uint32_t> instructions;  ///< of the function that the value is computed in
  bool differs_by_thread = false;        ///< threads of one block have different values
  bool has_block = false;                ///< it is computed from blockIdx
};

class DataFlow {
 public:
  explicit DataFlow(const ptx::Function& function);
  /// Of all values that a register holds.
  Slice slice_of(std::int32_t reg) const;
  const ptx::Function& function() const { return function_; }

 private:
  const ptx::Function& function_;
  std::vector<std::vector<std::uint32_t>> writers_;  // of each register
};

/// An instruction in the text of its function; `function` is null where it is not found.
struct TextPlace {
  const ptx::Function* function = nullptr;
  const ptx::Instruction* instruction = nullptr;
};
TextPlace text_at(const Program& program, std::uint32_t counter);

/// Whether the address of this access is computed from blockIdx, as far as the function that holds it shows.
bool address_has_block(const Program& program, std::uint32_t counter);

/// The branches around the instruction at `pc` whose condition differs between threads of one block. Some threads come
/// to the instruction, and others never do. Each is given by its MicroOp::counter.
std::vector<std::uint32_t> divergent_branches(const Program& program, std::uint32_t pc);

}  // namespace cudasim
