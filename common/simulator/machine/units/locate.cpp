// SPDX-License-Identifier: MIT
// Where the lanes of an access lie.
#include <cstring>

#include "machine/units/load_store_unit.h"

namespace cudasim {
namespace {

using Space = ptx::Space;
using Base = MemoryAccess::Base;

/// The elements that a copy of whole slots moves.
bool fills_slots(const MemoryAccess& access) {
  const auto& data = access.data[0];
  return access.count == 1 && access.bytes >= 4 && !data.sink && data.wide == (access.bytes == 8);
}

/// Whether the lanes have the same distances as the last time. Sets the span if so.
bool lie_as_before(const LaneKernels& kernels, const AccessSite& site, const std::uint32_t* base,
                   std::uint32_t displacement, std::uint32_t bytes, Span& span) {
  const std::uint32_t begin = base[0] - site.offset[0] + displacement;
  if (site.most - site.least > ~begin || (begin - site.least) % bytes != 0) return false;
  if (!kernels.same_distances(base, site.offset)) return false;
  span.least = begin;
  span.most = begin + (site.most - site.least);
  span.bits = site.bits;  // those below `bytes`, of which each has so many
  std::memcpy(span.offset, site.offset, sizeof span.offset);
  return true;
}

}  // namespace

void LoadStoreUnit::remember(const MemoryAccess& access, const LaneAddresses& at) {
  if (!at.near()) return;
  AccessSite& site = *at.site;
  const bool same = site.access == &access && site.mask == at.mask &&
                    std::memcmp(site.offset, at.span.offset, sizeof site.offset) == 0;
  site.least = at.span.least;
  site.most = at.span.most;
  site.bits = at.span.bits;
  if (same) return;
  site.access = &access;
  site.mask = at.mask;
  std::memcpy(site.offset, at.span.offset, sizeof site.offset);
  site.counted = site.repeats = false;
  site.shape = nullptr;
}

/// Reads the base register as it is: a vector of addresses that has just been written is slow to read back.
bool LoadStoreUnit::locate_coalesced(const Warp& warp, const WarpSplit& split, const MemoryAccess& access,
                                     LaneAddresses& at) const {
  if (!fills_slots(access)) return false;
  const std::byte* slot = warp.frames + split.frame + access.base;
  const unsigned lane = at.first_lane();
  if (access.base_kind == Base::reg64) {
    const auto* base = reinterpret_cast<const std::uint64_t*>(slot);
    const std::uint64_t zero = base[lane] - lane * at.bytes;
    if (base[at.last_lane()] != zero + at.last_lane() * at.bytes) return false;  // no need to test the others
    if (!kernels_.contiguous64(base, zero, at.bytes, at.mask)) return false;
    at.first = zero + static_cast<std::uint64_t>(access.displacement);
    if (access.space == Space::generic) {
      at.space = space_of_address(at.first + lane * at.bytes);
      at.first -= window_base(at.space);
    }
    at.how = LaneAddresses::How::coalesced;
    return at.space == Space::global || (at.space == Space::shared && at.bytes == 4);
  }
  if (access.base_kind != Base::reg32 || access.space != Space::shared || at.bytes != 4) return false;
  const auto* base = reinterpret_cast<const std::uint32_t*>(slot);
  if (!kernels_.contiguous32(base, base[lane] - 4 * lane, at.mask)) return false;
  // With addresses that wrap around, the first one alone is not enough.
  const std::uint64_t begin = std::uint64_t{base[lane]} + static_cast<std::uint64_t>(access.displacement);
  at.first = begin - 4 * lane;
  at.how = LaneAddresses::How::coalesced;
  return begin < 0x7fffffffu;
}

/// Fills `at` for those lanes of `mask` that are in one space, and returns the others: generic addresses may be in
/// different windows.
Mask LoadStoreUnit::locate(const Warp& warp, const WarpSplit& split, const MicroOp& op, const MemoryAccess& access,
                           Mask mask, LaneAddresses& at) {
  at.mask = mask;
  at.space = access.space;
  at.bytes = std::uint32_t{access.bytes} * access.count;
  AccessSite& site = this->site(op, access.is_store);
  at.site = &site;
  // Lanes that were apart the last time mostly are apart again, so this is tested first.
  if (access.space == Space::shared && access.base_kind == Base::reg32 && mask == ~0u && site.access == &access &&
      site.mask == ~0u) {
    const auto* base = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + access.base);
    if (lie_as_before(kernels_, site, base, static_cast<std::uint32_t>(access.displacement), at.bytes, at.span)) {
      at.how = LaneAddresses::How::as_before;
      return 0;
    }
  }
  const bool may_repeat = mask == ~0u && access.space == Space::shared;
  if (!may_repeat && locate_coalesced(warp, split, access, at)) return 0;
  at.space = access.space;
  at.how = LaneAddresses::How::apart;
  lane_addresses(kernels_, warp, split, access, at.address);
  kernels_.span(at.address, mask, at.span);
  if (access.space == Space::generic) {
    at.space = space_of_address(at.address[at.first_lane()]);
    if (window_of(at.span.least) != window_of(at.span.most)) {
      for (Mask m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        if (space_of_address(at.address[lane]) != at.space) at.mask &= ~(1u << lane);
      }
      kernels_.span(at.address, at.mask, at.span);
    }
    if (const std::uint64_t base = window_base(at.space)) {
      at.span.least -= base;
      at.span.most -= base;
      for (auto& address : at.address) address -= base;
    }
  }
  remember(access, at);
  return mask & ~at.mask;
}

}  // namespace cudasim
