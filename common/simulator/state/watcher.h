// SPDX-License-Identifier: MIT
// A Watcher is an instrumentation callback at the level of warps. The machine calls it for each memory instruction and
// each barrier of a warp. An Observer (state/observer.h) is a callback at the level of lanes, which is simpler to use
// and costs more. Each worker has watchers of its own, and they change nothing. Checks::watchers makes them.
#pragma once

#include "isa/instruction.h"
#include "state/lane_addresses.h"

namespace cudasim {

struct Block;
struct Grid;
struct WarpSplit;
struct PendingCopy;
struct Warp;

/// One instruction of a warp, at the moment at which it is carried out.
struct Step {
  const Block& block;
  Warp& warp;
  const WarpSplit& split;
  const MicroOp& op;
};

class Watcher {
 public:
  Watcher() = default;
  virtual ~Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  virtual void begin_block(Block&) {}
  /// An access of lanes in one space: nothing has been moved yet. `atomic`: null for a load or a store.
  virtual void before(const Step&, const MemoryAccess&, [[maybe_unused]] const AtomicAccess* atomic,
                      const LaneAddresses&) {}
  /// Before an access of a whole warp to shared memory, within the array of the last time and with the same distances.
  /// `begin` is its least address. True when before() and after() would report nothing more about it.
  virtual bool before_again(const Step&, const MemoryAccess&, AccessSite&, [[maybe_unused]] std::uint32_t begin) {
    return false;
  }
  /// Whether before_coalesced() may ever be true. If another watcher declines the fast path, before() is called for
  /// the same access again. Return true only if being called twice is harmless.
  virtual bool takes_coalesced() const { return false; }
  /// Before a load or store of neighbours. True when before() and after() would report nothing more about it.
  virtual bool before_coalesced(const Step&, const MemoryAccess&, const AccessSite&, const CoalescedAccess&) {
    return false;
  }
  /// What a store leaves is in memory. Not called for an access that stops the kernel.
  virtual void after(const Step&, const MemoryAccess&, [[maybe_unused]] const AtomicAccess* atomic,
                     const LaneAddresses&) {}
  /// A whole ldmatrix or stmatrix, by the rows of 16 bytes whose addresses the lanes gave. Each lane's elements are
  /// accesses.
  virtual void rows(const Step&, const MemoryAccess&, const LaneAddresses&) {}
  /// One of the machine's accesses in a wmma.load or wmma.store; `by_rows`: of rows of 16 bytes, as ldmatrix reads
  /// them. Each lane's elements are accesses.
  virtual void fragment(const Step&, const MemoryAccess&, const LaneAddresses&, [[maybe_unused]] bool by_rows) {}
  /// An asynchronous copy: what it would move now is in the registers of `through`. The copy itself is an access, when
  /// it is made.
  virtual void start_copy([[maybe_unused]] const Step& through, const PendingCopy&) {}
  virtual void make_copy(const Block&, const PendingCopy&, [[maybe_unused]] Mask lanes) {}
  /// An access to shared memory that is issued and counted though no lane of the warp takes part.
  virtual void idle(const Block&, [[maybe_unused]] bool is_store) {}
  virtual void shuffle(const Step&, [[maybe_unused]] Mask lanes) {}
  /// Allocations no longer exist, though accesses may have touched them: do not follow pointers to them.
  virtual void forget_allocations() {}
  /// Lanes of a warp come to a barrier for which they do not wait.
  virtual void arrive(const Block&, const Warp&, [[maybe_unused]] std::uint32_t barrier, [[maybe_unused]] Mask lanes) {}
  /// `lanes`, by warp, go on from a barrier.
  virtual void open_barrier(const Block&, [[maybe_unused]] std::uint32_t barrier,
                            [[maybe_unused]] const WarpLanes& lanes) {}
  virtual void sync_warp(const Block&, const Warp&, [[maybe_unused]] Mask lanes) {}
  virtual void fence(const Block&, const Warp&, [[maybe_unused]] bool of_grid) {}
};

}  // namespace cudasim
