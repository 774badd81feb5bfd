// SPDX-License-Identifier: MIT
// Does a loop ever end? A block whose state comes again, exactly, goes on as it did before. If nothing else can change
// what it reads, it goes on for ever.
//
// The search begins after the first million instructions of a block, or sooner if it spins. A state is kept, and
// backward branches compare the present one with it. After twice as many instructions a new one is kept (Brent's cycle
// detection), so that any period is found. Most pairs of states differ in one word: a register that counts the rounds.
//
// Warps that spin side by side rarely come back to the same place all at once, in a seeded order never. So each warp's
// own state is kept, too. What a warp does depends on its state and on memory alone. Suppose each warp has come to its
// own state again, and nothing was written since any of these was kept. Then nothing will ever be written. The state of
// the block is for loops that go round a barrier.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "state/block.h"
#include "state/warp.h"

namespace cudasim {

/// How many warp instructions of a worker did what, so far.
struct Activity {
  std::uint64_t global_reads = 0, global_writes = 0;
  std::uint64_t shared_reads = 0, shared_writes = 0;
  std::uint64_t barriers = 0;
  std::uint64_t unrepeatable = 0;  ///< the clock, and what the host does (malloc)
};

/// Repetition: a state for cycle detection, kept when a warp took a backward branch: of its block, or of this warp
/// alone.
struct Repetition {
  struct WarpState {
    std::vector<WarpSplit> splits;  ///< without the one that runs
    std::vector<ConvergenceBarrier> convergence_barriers;
    std::vector<Activation> activations;
    Mask live;
    bool waiting, interrupted;
  };
  std::uint64_t steps = 0;
  bool is_of_warp = false;
  std::uint32_t warp = 0;  ///< the one that runs
  WarpSplit running;
  std::vector<WarpState> warps;
  std::size_t bytes = 0;
  std::unique_ptr<std::byte[]>
      storage;  ///< a copy: registers and local memory; a block's state has the shared memory too
  std::array<BlockBarrier, 16> barriers;  ///< of a block
  std::uint32_t barriers_in_use = 0;
  Activity activity;
  bool has_all_blocks = false;  ///< all blocks that had not ended were under way on this worker, or found no place

  std::size_t differs_at = 0;  ///< Where in the storage the last comparison found a difference.
  bool is_settled = false;     ///< It did come again: this state has no more to show.
  /// It came again without a write to global memory since then. A warp's state needs more: no write to any memory, and
  /// no arrival at a barrier.
  /// It will come again until another part writes or arrives.
  bool came_again = false;

  /// False at almost every branch of a loop that makes progress.
  bool may_be(const std::byte* now, std::uint32_t warp_now, std::uint32_t pc) const {
    return !is_settled && running.pc == pc && warp == warp_now &&
           std::memcmp(now + differs_at, storage.get() + differs_at, sizeof(std::uint64_t)) == 0;
  }
};

/// The clock of a block, and whether a loop does nothing but read it.
struct BlockClock {
  std::uint64_t ahead = 0;      ///< how far it is ahead of the block's instructions
  std::uint64_t pace = 0;       ///< by how much each read moves it further
  std::uint64_t last_step = 0;  ///< when it was last read
  const MicroOp* last = nullptr;
  unsigned looks = 0;  ///< in a row, by one instruction
  Activity activity;   ///< the activity when these began
};

/// The states that are kept for a block: null, or empty, before the first search.
struct Repetitions {
  BlockClock clock;
  std::unique_ptr<Repetition> of_block;
  std::vector<std::unique_ptr<Repetition>> of_warp;
};

}  // namespace cudasim
