// SPDX-License-Identifier: MIT
// Calls of a kernel that the host answers: printf, assert, malloc, free.
#pragma once

#include "machine/units/load_store_unit.h"

namespace cudasim {

class HostCalls : Unit {
 public:
  HostCalls(Worker& worker, LoadStoreUnit& memory) : Unit(worker), memory_(memory) {}

  /// One lane after the other. False: it is a fault.
  bool call(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask);

 private:
  /// One lane's call: its stack, and the place of the arguments in it.
  struct OfLane {
    Block& block;  ///< whose steps a call may use up
    const Step& step;
    const Call& call;
    unsigned lane;
    std::byte* stack;
    std::uint64_t argument(std::size_t i) const;
  };
  void give_back(const OfLane& call, std::uint64_t value) const;
  void print(const OfLane& call);
  void fail_assertion(const OfLane& call);
  std::uint64_t allocate_memory(const OfLane& call);
  bool check_free(const OfLane& call, std::uint64_t address);
  void free_memory(const OfLane& call);

  LoadStoreUnit& memory_;
};

}  // namespace cudasim
