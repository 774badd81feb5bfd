// SPDX-License-Identifier: MIT
// What is known about a kernel's registers before its instructions run (the literature: uniform and affine values).
// Some are the same in every block. Others differ between blocks by one number for all threads
// (Program::launch_invariant, Program::affine).
#pragma once

#include <cstdint>
#include <map>

#include "program/program.h"

namespace cudasim {

/// KnownValues: the launch-invariant and the affine registers of a kernel.
class KnownValues {
 public:
  /// A slot that a block begins with.
  void begins_with(const FrameConstant& constant);
  /// An operand of the text.
  void is_read(std::uint32_t slot) { ++reads_[slot]; }
  /// Notes that only the operation at `pc` writes its destination, in every thread that comes there.
  /// `found` is null where it is no operation of registers. A known result goes into the program's lists.
  void note(Program& program, std::uint32_t pc, const Found* found, FrameConstant::Width width);
  /// Call it when all are noted.
  void finish(Program& program) const;

 private:
  enum class Value : std::uint8_t {
    any,
    alike,             ///< One number for all threads of the grid.
    launch_invariant,  ///< The same in every block.
    of_block,          ///< One number for all threads of a block.
    affine,            ///< It differs between blocks by one number for all threads.
  };
  Value value_of(std::uint32_t slot) const;
  Value result(const MicroOp& op, const Found* found) const;
  bool is_affine(const MicroOp& op, const Found& found) const;
  bool is_product(const MicroOp& op) const;

  std::map<std::uint32_t, Value> values_;    // by slot
  std::map<std::uint32_t, unsigned> reads_;  // by slot: operands in the text, except those of shifting operations
};

}  // namespace cudasim
