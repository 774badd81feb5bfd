// SPDX-License-Identifier: MIT
// Paths through a kernel's instructions, searched when the text of a finding is made. They go past calls, not into
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/instruction.h"

namespace cudasim {

struct Program;

/// Which of the threads (of one warp, or of the block) wait for each other here.
enum class Waiting : std::uint8_t { nobody, some, all };
Waiting waiting(const Program& program, const MicroOp& op, bool of_warp);

/// Where a thread may be next.
std::vector<std::uint32_t> successors(const Program& program, std::uint32_t pc);

/// By pc: whether a way leads from there to the end of the thread, or out of the function. Where none does, a thread
/// never ends. A called function may end it.
std::vector<bool> ways_to_the_end(const Program& program);

enum class Path : std::uint8_t {
  none,
  barred,  ///< only past a barrier
  partly,  ///< also past a partial one: of a number of threads, or __syncwarp of a mask
  free,
};
/// From behind the instruction at `from` to the one at `to`.
Path find_path(const Program& program, std::uint32_t from, std::uint32_t to, bool of_warp);

/// The conditional branches behind which one side can still come to the instruction at `to`, and the other cannot. A
/// thread that never came there has left at one of them. Each is given by its MicroOp::counter.
std::vector<std::uint32_t> branches_away_from(const Program& program, std::uint32_t to);

}  // namespace cudasim
