// SPDX-License-Identifier: MIT
// Where a barrier would order two accesses of one block, told from the kernel's text: which of them comes first, in the
// same round of a loop or in the next, and on which way from one to the other no barrier stands yet.
#pragma once

#include <cstdint>
#include <string>

#include "base/finding.h"
#include "isa/instruction.h"

namespace cudasim {

struct Program;

bool same_line(const SourceLine& a, const SourceLine& b);

/// The micro-operation of a counted instruction that loads, stores or updates memory.
const MicroOp& access_at(const Program& program, std::uint32_t instruction);

struct BarrierPlace {
  enum class Kind : std::uint8_t {
    between,       ///< the first access comes before the second one
    in_statement,  ///< the same, and both are one statement: a thread reads what another writes
    next_round,    ///< the second one comes before the first, of the next round of a loop
    any_round,     ///< a loop without a barrier: which round it was is not known
    branches,      ///< no way from one to the other before the next barrier: threads that take different branches
    partial,       ///< a barrier stands between, which does not wait for all
    unknown,       ///< as with functions that were not inlined: ways are not followed into them
  } kind = Kind::between;
  bool past_syncwarp = false;  ///< of a block: __syncwarp() stands where a barrier should
  int first = 0, second = 0;   ///< lines of one function, unless in different ones; in the order of the text
};

/// `of_warp`: two threads of one warp, which __syncwarp() may order as well.
BarrierPlace barrier_place(const Program& program, std::uint32_t one, std::uint32_t other, bool of_warp);

/// What to do, as the rest of a sentence.
std::string advice_on(const BarrierPlace& place, bool of_warp);

}  // namespace cudasim
