// SPDX-License-Identifier: MIT
// cp.async from its start until a thread waits for it: by groups (cp.async.wait_group), or through an mbarrier at which
// the copies arrive. A copy is a load and a store, through registers that the text does not name.
#pragma once

#include "machine/units/atomic_unit.h"
#include "state/async_copies.h"

namespace cudasim {

class CopyUnit : Unit {
 public:
  CopyUnit(Worker& worker, LoadStoreUnit& memory, AtomicUnit& atomics)
      : Unit(worker), memory_(memory), atomics_(atomics), copy_frame_(worker.copy_frame) {}

  /// Carries out any of the instructions of asynchronous copies. False: it is a fault.
  bool step(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
  /// The block has ended: copies without a wait are made and counted, and no watcher sees them.
  void finish(Block& block);

 private:
  bool start_copy(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
  bool wait_for_copies(Block& block, Warp& warp, std::uint32_t groups_left, Mask mask);
  bool make_copy(Block& block, Warp& warp, PendingCopy& copy, Mask lanes);
  void start_arrival(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
  bool make_arrivals(Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
  bool is_in_bounds(Block& block, Warp& warp, const MicroOp& op, const MemoryAccess& access, const LaneAddresses& at);
  void fetch(const Block& block, Warp& warp, const PendingCopy& copy, Mask lanes);
  void restrict_to(LaneAddresses& at, Mask mask) const;

  LoadStoreUnit& memory_;
  AtomicUnit& atomics_;
  const std::uint32_t copy_frame_;
};

}  // namespace cudasim
