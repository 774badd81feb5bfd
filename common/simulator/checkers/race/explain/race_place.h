// SPDX-License-Identifier: MIT
// Where a barrier would order two accesses of one block, found in the kernel's control-flow graph. The search finds
// which access comes first: in the same iteration of a loop, or in the next. It also finds a path from one to the other
// that has no barrier yet.
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
    between,       ///< The first access comes before the second one.
    in_statement,  ///< The same, and both are one statement: a thread reads what another writes.
    next_round,    ///< The second one comes before the first, of the next iteration of a loop.
    any_round,     ///< A loop without a barrier: the iteration is not known.
    branches,  ///< No path leads from one to the other before the next barrier: the threads take different branches.
    partial,   ///< A barrier stands between, which does not wait for all.
    unknown,   ///< As with functions that are not inlined: the search does not enter them.
  } kind = Kind::between;
  bool past_syncwarp = false;  ///< A __syncwarp() stands where a barrier of the block should.
  bool in_ptx = false;         ///< The lines are those of the PTX text, as those of the source are not known.
  int first = 0, second = 0;   ///< Lines of one function where possible, in the order of the text.
  /// A branch around both accesses, which threads of one block take differently: no barrier of the block may stand
  /// there.
  bool is_in_branch = false;
  int branch = 0;  ///< its line; 0: not known
  /// The line of an `if` that sends threads to one of the two only, as thread 0 alone to a store. The compiler may have
  /// taken an access behind it into its other branch. 0: there is none, or its line is not known.
  int parted = 0;
};

/// `of_warp`: two threads of one warp, which __syncwarp() may order as well.
BarrierPlace barrier_place(const Program& program, std::uint32_t one, std::uint32_t other, bool of_warp);

/// The lines of two accesses in the function that holds both: the outermost pair that differs. 0: only their function
/// differs.
struct LineNumbers {
  int one = 0, other = 0;
};
LineNumbers lines_of(const Program& program, std::uint32_t one, std::uint32_t other);

/// What to do, as the rest of a sentence.
std::string advice_on(const BarrierPlace& place, bool of_warp);

}  // namespace cudasim
