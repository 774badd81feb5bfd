// SPDX-License-Identifier: MIT
// The counts of an access.
#include "machine/units/load_store_unit.h"

namespace cudasim {

using ptx::Space;

/// The same, counted anew only where the lanes' distances have changed: a count costs more than a comparison.
void LoadStoreUnit::count_as_before(const MicroOp& op, const MemoryAccess& access, LaneAddresses& at) {
  if (!is_counted(access, at.space)) return;
  AccessSite& site = *at.site;
  const auto phase = static_cast<std::uint32_t>(at.span.least % (at.space == Space::global ? 32 : 4));
  const bool is_as_before = site.counted && site.space == at.space;
  if (!is_as_before || site.phase != phase) {
    at.spell_out();
    site.counted = true;
    site.space = at.space;
    site.phase = phase;
    site.passes = passes_of(kernels_, access, at);
  }
  count(op, access, at.space, site.passes);
  if (timing_ == nullptr || at.space != Space::global) return;
  timing_->come_to(op.counter);
  // All lanes in one sector, mostly at one word.
  if (!access.is_store && at.span.least / 32 == (at.end() - 1) / 32)
    return timing_->accesses.coalesced(false, at.span.least, at.end());
  GlobalAccesses::Pattern& pattern = patterns_[op.counter];
  if (!is_as_before) {
    pattern.lines = 0;
    at.spell_out();
    return timing_->accesses.apart(access.is_store, at.address, at.bytes, at.mask);
  }
  if (pattern.lines == 0 || pattern.phase != at.span.least % 128) {
    at.spell_out();
    GlobalAccesses::find_pattern(pattern, access.is_store, at.span.least, at.address, at.bytes, at.mask);
  }
  timing_->accesses.apart(access.is_store, at.span.least, pattern);
}

void LoadStoreUnit::count(const MicroOp& op, const MemoryAccess& access, Space space, const Passes& passes) {
  if (!is_counted(access, space)) return;
  auto& c = counters_[op.counter];
  const bool is_store = access.is_store;
  if (space == Space::shared) {
    const auto& w = passes.wavefronts;
    (is_store ? c.shared_store_requests : c.shared_load_requests) += 1;
    (is_store ? c.shared_store_wavefronts : c.shared_load_wavefronts) += w.count;
    (is_store ? c.shared_store_bank_conflicts : c.shared_load_bank_conflicts) += w.count - w.least;
  } else if (space == Space::global) {
    (is_store ? c.global_store_requests : c.global_load_requests) += 1;
    (is_store ? c.global_store_sectors : c.global_load_sectors) += passes.sectors;
  } else {
    (is_store ? c.local_store_requests : c.local_load_requests) += words_of(access.bytes * access.count);
    (is_store ? c.local_store_sectors : c.local_load_sectors) += passes.sectors;
  }
}

void LoadStoreUnit::note_poll(const Block& block, const Warp& warp, const WarpSplit& split, const MemoryAccess& access,
                              Mask mask) {
  std::uint64_t address[kWarpSize];
  lane_addresses(kernels_, warp, split, access, address);
  timing_->waits.look(block.linear, address, mask);
}

void LoadStoreUnit::note_write(const Block& block, const Warp& warp, const WarpSplit& split, const MemoryAccess& access,
                               Mask mask) {
  const bool may_be_polled = access.ordering != Ordering::weak || (mask & (mask - 1)) == 0;
  if (!may_be_polled || (access.space != Space::global && access.space != Space::generic)) return;
  std::uint64_t address[kWarpSize];
  lane_addresses(kernels_, warp, split, access, address);
  timing_->waits.write(block.linear, address, mask);
}

void LoadStoreUnit::count_during_copies(const MicroOp& op, const MemoryAccess& access) {
  if (access.space == Space::shared && is_counted(access, access.space))
    ++counters_[op.counter].shared_loads_during_copies;
}

}  // namespace cudasim
