// SPDX-License-Identifier: MIT
// atom and red: one read-modify-write for each lane, in lane order.
#pragma once

#include "machine/units/load_store_unit.h"

namespace cudasim {

class AtomicUnit : Unit {
 public:
  AtomicUnit(Worker& worker, LoadStoreUnit& memory);

  /// False: it is a fault.
  bool execute(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);
  /// The same where the lanes lie at `at`.
  bool update_located(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, const AtomicAccess& atomic,
                      LaneAddresses& at);
  /// How many words have another value since then: an atomic may also leave one as it was.
  std::uint64_t changed() const { return changed_; }

 private:
  bool may_be_deferred(const AtomicAccess& atomic, const LaneAddresses& at) const;
  bool defer(const Step& step, const LaneAddresses& at);
  template <class T>
  bool update_lanes(const Step& step, const AtomicAccess& atomic, const LaneAddresses& at);
  void count(const MicroOp& op, const AtomicAccess& atomic, const LaneAddresses& at);

  LoadStoreUnit& memory_;
  DeferredAtomics& additions_;
  const bool defers_;  // with others at work
  std::uint64_t changed_ = 0;
};

}  // namespace cudasim
