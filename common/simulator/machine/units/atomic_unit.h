// SPDX-License-Identifier: MIT
// atom and red: one read-modify-write for each lane, in lane order.
#pragma once

#include "machine/units/load_store_unit.h"

namespace cudasim {

class AtomicUnit : Unit {
 public:
  AtomicUnit(Worker& worker, LoadStoreUnit& memory);

  /// False: it is a fault.
  bool execute(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask);
  /// The same where the lanes lie at `at`.
  bool update_located(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, const AtomicAccess& atomic,
                      Located& at);
  /// How many words have another value since then: an atomic may also leave one as it was.
  std::uint64_t changed() const { return changed_; }

 private:
  bool may_be_late(const AtomicAccess& atomic, const Located& at) const;
  bool add_later(const Step& step, const Located& at);
  template <class T>
  bool update_lanes(const Step& step, const AtomicAccess& atomic, const Located& at);
  void count(const MicroOp& op, const AtomicAccess& atomic, const Located& at);

  LoadStoreUnit& memory_;
  DeferredAtomics& additions_;
  const bool adds_late_;  // with others at work
  std::uint64_t changed_ = 0;
};

}  // namespace cudasim
