// SPDX-License-Identifier: MIT
// bar and barrier (PTX ISA, "bar, barrier"): sixteen barriers a block, with or without a count of threads; reductions
// over the threads that arrive.
#pragma once

#include <cstring>

#include "machine/units/worker.h"

namespace cudasim {

class BarrierUnit : Unit {
 public:
  explicit BarrierUnit(Worker& worker) : Unit(worker) {}

  /// A split comes to a barrier, at `pc`; split.pc is ignored. All lanes of the warp execute an aligned one
  /// together: the split waits for the others first.
  Sync execute(Block& block, Warp& warp, WarpSplit& split, std::uint32_t pc, const MicroOp& op, Mask mask);
  /// The same where all lanes that execute it are together.
  Sync arrive(Block& block, Warp& warp, const WarpSplit& split, std::uint32_t pc, const MicroOp& op, Mask mask);
  /// A whole warp comes to the usual barrier, of all threads of the block. False: nothing has been done.
  bool wait_for_block(Block& block, Warp& warp, const WarpSplit& split, std::uint32_t pc, const MicroOp& op);
  /// Opens every barrier at which all expected threads have arrived. Threads that have exited are not expected.
  bool complete(Block& block);

 private:
  void count_arrival(Block& block, BlockBarrier& barrier, const MicroOp& op, std::uint32_t threads);
  [[gnu::noinline]] Sync refuse(Block& block, const Warp& warp, const MicroOp& op, Mask mask, const char* what);
  void warn_of_exits(const Block& block, std::uint32_t id);
  void open(Block& block, std::uint32_t id);
};

// In both ways of a warp to a barrier.
inline void BarrierUnit::count_arrival(Block& block, BlockBarrier& barrier, const MicroOp& op, std::uint32_t threads) {
  barrier.arrived += threads;
  barrier.counter = op.counter;
  block.barrier_due |= barrier.arrived >= (barrier.expected != 0 ? barrier.expected : block.threads - block.exited);
  ++counters_[op.counter].barriers;
}

// Inline in the dispatch loop, as kernels of short steps come here more often than anywhere else.
[[gnu::always_inline]] inline bool BarrierUnit::wait_for_block(Block& block, Warp& warp, const WarpSplit& split,
                                                               std::uint32_t pc, const MicroOp& op) {
  const auto& operation = program_.barriers[op.extra];
  if (operation.mode != BarrierOperation::Mode::sync || operation.has_count || split.mask != warp.live) return false;
  std::uint32_t id;
  std::memcpy(&id, warp.frames + split.frame + op.a + 4 * __builtin_ctz(split.mask), sizeof id);
  if (id >= block.barriers.size() || (block.barriers_in_use >> id & 1) == 0) return false;  // a split is there
  auto& barrier = block.barriers[id];
  if (barrier.expected != 0) return false;
  count_arrival(block, barrier, op, count_lanes(split.mask));
  warp.waiting = true;
  warp.park(split, pc + 1, WarpSplit::State::in_barrier).barrier = id;
  return true;
}

}  // namespace cudasim
