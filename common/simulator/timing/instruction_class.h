// SPDX-License-Identifier: MIT
// Which part of a multiprocessor an instruction of PTX keeps busy, as far as PTX shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/program.h"

namespace cudasim {

enum class InstructionClass : std::uint8_t {
  fp32_fma,
  fp32,
  fp64,
  half,
  integer,
  integer_multiply,
  wide_integer,  ///< of 64 bits: ptxas makes two or more instructions of it
  division,      ///< quotients, remainders and roots that are rounded: many instructions each
  conversion,    ///< to or from a floating-point number
  special,       ///< of the special function unit, and counts of bits
  predicate,     ///< comparisons and choices
  move,          ///< moves, and loads of parameters, which are operands on hardware
  control,
  memory,
  shuffle,  ///< between lanes
  barrier,  ///< and fences
  tensor,
  other,
};
constexpr std::size_t kInstructionClasses = static_cast<std::size_t>(InstructionClass::other) + 1;

/// As in a report: "fp32_fma".
const char* name_of(InstructionClass one);

InstructionClass class_of(const InstructionOrigin& origin);

/// How many operations of its class it is on the machine: two where it counts bits of 64, or multiplies such numbers.
std::uint64_t parts_of(const InstructionOrigin& origin);

/// The shape of a tensor instruction and the type of its first factor, "m16n8k8.tf32".
std::string tensor_shape(const InstructionOrigin& origin);

/// Its opcode as written in the table of instructions, for a message.
std::string opcode_of(const InstructionOrigin& origin);

}  // namespace cudasim
