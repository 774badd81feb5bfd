// SPDX-License-Identifier: MIT
// Loads and stores. The lanes of an access are located once (locate.cpp), bounds are tested for all of them together,
// and the bytes are moved and counted. An invalid access takes the slow path, lane by lane, which finds the error.
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

class LoadStoreUnit : Unit {
 public:
  explicit LoadStoreUnit(Worker& worker);

  /// Carries out a load or a store. False: it is a fault.
  template <bool is_store>
  [[gnu::always_inline]] bool access(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                     const MemoryAccess& access, Mask mask) {
    if (access.is_simple && takes_coalesced_ && mask == ~0u && access.space == ptx::Space::global &&
        move_coalesced_watched({block, warp, split, op}, access))
      return true;
    if (access.is_simple && !is_watched_) {
      AccessSite& site = this->site(op, is_store);
      // Lanes that were apart the last time mostly are apart again.
      const bool was_scattered = site.access == &access;
      if (!was_scattered && move_simple<is_store>(block, warp.frames + split.frame, op, access, site, mask))
        return true;
    }
    return access_any(block, warp, split, op, access, mask);
  }
  /// The same where the lanes lie at `at`.
  bool access_located(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, const MemoryAccess& access,
                      LaneAddresses& at);
  /// A load of one of the kernel's parameters.
  void fill_parameter(std::byte* frame, const MemoryAccess& access, Mask mask) const;

  // ---- for other units: where lanes lie, and the host's bytes there
  Mask locate(const Warp& warp, const WarpSplit& split, const MicroOp& op, const MemoryAccess& access, Mask mask,
              LaneAddresses& at);
  /// `at` was found earlier: the site then describes it again.
  static void remember(const MemoryAccess& access, const LaneAddresses& at);
  AccessSite& site(const MicroOp& op, bool is_store) { return sites_[site_index(op.counter, is_store, site_count_)]; }
  /// Deferred additions take effect before a caller gets the bytes.
  std::byte* resolve_span(const Block& block, const Warp& warp, const LaneAddresses& at, bool is_store);
  std::byte* resolve(const Block& block, const Warp& warp, const LaneAddresses& at, unsigned lane, bool is_store,
                     FindingKind& problem);
  /// Reports the error of one lane's access.
  [[gnu::cold, gnu::noinline]] void fault(const Block& block, const Warp& warp, const MicroOp& op, ptx::Space space,
                                          std::uint64_t address, unsigned lane, std::uint32_t bytes, bool is_store,
                                          FindingKind kind);
  void count(const MicroOp& op, const MemoryAccess& access, ptx::Space space, const Passes& passes);
  /// For an estimate of the time: the lines and sectors of global memory. `address` is there.
  void count_lines(const MicroOp& op, const MemoryAccess& access, const LaneAddresses& at);
  /// The same: a load that polls, before it is made, and a store that others may poll.
  void note_poll(const Block& block, const Warp& warp, const WarpSplit& split, const MemoryAccess& access, Mask mask);
  void note_write(const Block& block, const Warp& warp, const WarpSplit& split, const MemoryAccess& access, Mask mask);
  /// A load while asynchronous copies of its warp are on their way.
  void count_during_copies(const MicroOp& op, const MemoryAccess& access);
  /// Sites forget their memory, as it may be of an allocation that no longer exists. Only one worker runs a kernel with
  /// a heap.
  void forget_allocations();
  /// How many stores by generic addresses there were, except those to local memory.
  std::uint64_t generic_stores() const { return generic_stores_; }

 private:
  bool access_any(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, const MemoryAccess& access,
                  Mask mask);
  [[gnu::noinline]] bool locate_and_access(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                           const MemoryAccess& access, Mask mask);
  [[gnu::noinline]] bool is_nothing_new(const Step& step, const MemoryAccess& access, AccessSite& site,
                                        const std::uint32_t* base, std::uint32_t begin) const;
  bool repeat(const Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, const MemoryAccess& access,
              Mask mask);
  void may_repeat(const MemoryAccess& access, const LaneAddresses& at) const;
  bool locate_coalesced(const Warp& warp, const WarpSplit& split, const MemoryAccess& access, LaneAddresses& at) const;
  template <class Element, class Address, bool is_store>
  bool move_side_by_side(const Block& block, std::byte* frame, const MicroOp& op, const MemoryAccess& access,
                         AccessSite& site, Mask mask, LaneKernels::MoveCoalesced move);
  template <bool is_store>
  bool move_simple(const Block& block, std::byte* frame, const MicroOp& op, const MemoryAccess& access,
                   AccessSite& site, Mask mask);
  bool move_coalesced_watched(const Step& step, const MemoryAccess& access);
  bool move_coalesced(const Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op,
                      const MemoryAccess& access, const LaneAddresses& at);
  [[gnu::noinline]] bool move_at_once(const Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op,
                                      const MemoryAccess& access, LaneAddresses& at);
  [[gnu::noinline]] bool move_each(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                   const MemoryAccess& access, LaneAddresses& at);
  void count_coalesced(const MicroOp& op, bool is_store, ptx::Space space, std::uint64_t first, Mask mask,
                       std::uint32_t bytes);
  [[gnu::noinline]] void count_lines(bool is_store, std::uint64_t first, Mask mask, std::uint32_t bytes);
  void count_as_before(const MicroOp& op, const MemoryAccess& access, LaneAddresses& at);

  const std::uint32_t local_bytes_;  // of a lane
  const std::size_t site_count_;
  const Zeroed<AccessSite> sites_;
  const Zeroed<GlobalAccesses::Pattern> patterns_;  // by MicroOp::counter, of what `sites_` have; null without timing
  DeferredAtomics& additions_;
  const bool is_watched_;       // by one watcher at least
  const bool takes_coalesced_;  // by some watchers, and all of these do
  std::uint64_t generic_stores_ = 0;
};

}  // namespace cudasim
