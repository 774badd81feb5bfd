// SPDX-License-Identifier: MIT
// The families of the instruction table: a name here, and a file of rows beside this one. Families with meanings are
// compiled once for each vector level. The others only define how an instruction is written.
#pragma once

#include "isa/instruction.h"

// clang-format off
#define CUDASIM_PURE_FAMILIES(family) \
  family(integer) family(integer_extended) family(logic) family(float32) family(float64) family(half) \
  family(special_functions) family(compare) family(convert) family(move) family(video)

#define CUDASIM_MACHINE_FAMILIES(family) \
  family(memory) family(texture) family(atomic) family(async) family(control) family(warp) family(matrix) \
  family(barrier) family(miscellaneous)
// clang-format on

namespace cudasim {

#define CUDASIM_DECLARE_FAMILY(name) InstructionDefinitions name##_rows();

namespace baseline {
CUDASIM_PURE_FAMILIES(CUDASIM_DECLARE_FAMILY)
}
namespace avx2 {
CUDASIM_PURE_FAMILIES(CUDASIM_DECLARE_FAMILY)
}
namespace avx512 {
CUDASIM_PURE_FAMILIES(CUDASIM_DECLARE_FAMILY)
}
CUDASIM_MACHINE_FAMILIES(CUDASIM_DECLARE_FAMILY)

#undef CUDASIM_DECLARE_FAMILY

/// The rows of a table, as a family's function returns them.
template <std::size_t count>
[[gnu::always_inline]] constexpr InstructionDefinitions span_of(const InstructionDefinition (&rows)[count]) {
  return {rows, count};
}

}  // namespace cudasim
