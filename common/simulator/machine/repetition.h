// SPDX-License-Identifier: MIT
// Does a loop ever end? A block whose state comes again, exactly, goes on as it did before; if nobody else can change
// what it reads, then for ever. Looked for after the first million instructions of a block (sooner if it spins): a
// state is kept, backward branches compare the present one with it, and after twice as many instructions a new one is
// kept (Brent's cycle detection), so that any period is found. Mostly one word tells two states apart: a register that
// counts the rounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "machine/warp.h"

namespace cudasim {

struct BlockBarrier {
  std::uint64_t expected = 0;  ///< threads, when a count was given; 0: all threads of the block
  std::uint64_t arrived = 0;
  bool reduces = false;
  bool any = false, all = true;
  std::uint32_t population = 0;
  std::uint32_t counter = 0;  ///< of the instruction, to name its line
};

/// How many warp instructions of a worker did what, so far.
struct Activity {
  std::uint64_t global_reads = 0, global_writes = 0;
  std::uint64_t shared_reads = 0, shared_writes = 0;
  std::uint64_t barriers = 0;
  std::uint64_t unrepeatable = 0;  ///< the clock, and what the host does (printf, malloc)
};

/// A state of a block that was kept when a warp of it took a backward branch.
struct Repetition {
  struct WarpState {
    std::vector<Fragment> fragments;  ///< without the one that runs
    std::vector<Meeting> meetings;
    std::vector<Activation> activations;
    Mask live;
    bool waiting, interrupted;
    std::uint64_t turns;
  };
  std::uint64_t steps = 0;
  std::uint32_t warp = 0;  ///< the one that runs
  Fragment running;
  std::vector<WarpState> warps;
  std::unique_ptr<std::byte[]> storage;  ///< a copy of the block's: registers, local and shared memory
  std::array<BlockBarrier, 16> barriers;
  std::uint32_t barriers_in_use = 0;
  Activity activity;
  bool has_all_blocks = false;  ///< all blocks that had not ended were under way on this worker, or found no place

  std::size_t differs_at = 0;  ///< where in the storage the last comparison found a difference
  bool is_settled = false;     ///< it did come again: nothing more to find out with this state
  /// It came again without a write to global memory by anyone. So it will, until there are more writes than these.
  bool came_again = false;
  std::uint64_t global_writes = 0;

  /// False at almost every branch of a loop that gets on.
  bool may_be(const std::byte* now, std::uint32_t warp_now, std::uint32_t pc) const {
    return !is_settled && running.pc == pc && warp == warp_now &&
           std::memcmp(now + differs_at, storage.get() + differs_at, sizeof(std::uint64_t)) == 0;
  }
};

}  // namespace cudasim
