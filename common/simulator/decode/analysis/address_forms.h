// SPDX-License-Identifier: MIT
// What is known about a function's registers before it runs. This file finds which registers lie a fixed distance
// apart, and how many of their lowest bits are zero. With this ptxas knows which accesses are neighbours and may become
// one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "ptx/module.h"

namespace cudasim {

/// The offsets of shared variables in shared memory, by name.
using SharedOffsets = std::map<std::string, std::uint32_t>;

class AddressForms {
 public:
  /// `found`: the result of find_rows().
  AddressForms(const ptx::Function& function, const std::vector<Found>& found, const SharedOffsets& shared);

  /// A value: `offset` from a root, which has a number.
  struct Form {
    std::uint32_t root = 0;
    std::int64_t offset = 0;
  };

  /// The form of `[base + displacement]` behind the instructions that step() got since begin().
  Form of(const ptx::Operand& address) const;
  /// How many of the lowest bits of a root are zero, whenever the instruction runs.
  unsigned zero_bits(std::uint32_t root) const;

  /// Begins straight-line code that is entered only at its first instruction.
  void begin() { now_.clear(); }
  void step(std::uint32_t instruction);
  /// `instruction` may have been executed: the values that it writes are not known here.
  void perhaps(std::uint32_t instruction);

 private:
  static constexpr unsigned kMostZeroBits = 6;

  const ptx::Function& function_;
  const std::vector<Found>& found_;
  std::vector<std::uint32_t> definitions_;           // by register: how many instructions write it
  std::vector<unsigned> zero_bits_;                  // by register
  std::vector<Form> once_;                           // by register: those that one instruction writes
  std::map<std::int32_t, Form> now_;                 // those that several write
  std::map<std::string, std::uint32_t> name_roots_;  // roots: registers, instructions twice, names
  std::vector<unsigned> name_zero_bits_;

  std::uint32_t first_name_root() const {
    return static_cast<std::uint32_t>(definitions_.size() + 2 * function_.instructions.size());
  }
  bool writes(std::uint32_t instruction) const;
  template <class Visit>
  void for_each_written(std::uint32_t instruction, Visit visit) const;
  Form form(std::int32_t reg) const;
  Form form(const std::string& name, std::int64_t offset) const;
  bool follows(std::uint32_t instruction, Form& result) const;
  unsigned zero_bits(const ptx::Operand& operand) const;
  unsigned zero_bits_written(std::uint32_t instruction) const;
  void find_zero_bits();
};

}  // namespace cudasim
