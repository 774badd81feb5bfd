// SPDX-License-Identifier: MIT
// Where the lanes of one access lie. Interpreter::locate finds it once. All parts that move bytes, count or watch read
// it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "memory/memory.h"
#include "program/program.h"
#include "state/warp.h"
#include "vector/lane_kernels.h"

namespace cudasim {

struct Shape;  // checkers/race/shadow/shared_epoch.h

/// Passes over the banks of shared memory, and sectors of other memory, that one access takes.
struct Passes {
  Wavefronts wavefronts{0, 0};
  unsigned sectors = 0;
};

/// An access site: one access of the program text, with an inline cache of its last execution.
/// AccessSite: what is remembered of one access of the program from one time to the next (the literature: access site,
/// inline cache). Most iterations of a loop have the same distances between their lanes. A comparison is quicker than
/// to find and count them again.
struct AccessSite {
  const Allocation* allocation = nullptr;  ///< the one touched last
  const std::byte* place = nullptr;        ///< the place touched last, a guess for the next one
  const MemoryAccess* access = nullptr;    ///< the access that the members below belong to
  Mask mask = 0;
  std::uint64_t least = 0, most = 0, bits = 0;
  std::uint32_t offset[kWarpSize];
  bool counted = false;  ///< `passes` is for these distances, with `phase` and `space`
  ptx::Space space = ptx::Space::generic;
  std::uint32_t phase = 0;  ///< of the least address, as far as the count depends on it
  Passes passes;
  /// The members below hold as long as the least address is at most `room` behind `room_begin`. All lanes are in one
  /// array of shared memory then (Interpreter::repeat).
  bool repeats = false;
  std::uint32_t room_begin = 0, room = 0;
  const Shape* shape = nullptr;  ///< of these distances, for the race checker; null: not looked up yet

  /// Null: none, or no address of this device.
  [[gnu::always_inline]] const Allocation* allocation_at(const Memory& memory, std::uint64_t address) {
    if (allocation == nullptr || !allocation->contains(address)) allocation = memory.find(address);
    return allocation;
  }
  /// The host's bytes behind device memory, if the access may touch all of them; else null.
  [[gnu::always_inline]] std::byte* bytes_at(const Memory& memory, std::uint64_t begin, std::uint64_t end,
                                             bool is_store) {
    const Allocation* const in = allocation_at(memory, begin);
    if (in == nullptr || in->host == nullptr || (is_store && in->read_only)) return nullptr;
    const std::uint64_t offset = begin - in->address;
    return end - begin <= in->size_bytes - offset ? in->host + offset : nullptr;
  }
};
/// So many that accesses of one loop seldom share one; a kernel of a few lines needs few. A power of two.
inline std::size_t count_of_sites(std::size_t instructions) {
  std::size_t sites = 64;
  while (sites < 2 * instructions && sites < 1024) sites *= 2;
  return sites;
}
/// An instruction that both loads and stores (cp.async) has one for each.
inline std::size_t site_index(std::uint32_t instruction, bool is_store, std::size_t sites) {
  return (instruction + (is_store ? sites / 2 : 0)) & (sites - 1);
}

/// Most loops go on in equal steps, so the next neighbours are prefetched. The host's own prefetcher misses long steps.
/// `last`: where the last neighbours were.
[[gnu::always_inline]] inline void look_ahead(const std::byte*& last, const std::byte* from, std::uint64_t bytes,
                                              bool is_store) {
  const auto next = reinterpret_cast<std::uintptr_t>(from) * 2 - reinterpret_cast<std::uintptr_t>(last);
  last = from;
  for (std::uint64_t i = 0; i < bytes; i += 64) {
    is_store ? __builtin_prefetch(reinterpret_cast<const void*>(next + i), 1)
             : __builtin_prefetch(reinterpret_cast<const void*>(next + i), 0);
  }
}

inline bool lie_side_by_side(const std::uint32_t* offset, std::uint32_t bytes) {
  std::uint32_t differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= offset[lane] ^ lane * bytes;
  return differs == 0;
}

/// A coalesced access: lane i touches the i-th element.
/// What a whole warp touches of one allocation of global memory. Lane i touches the i-th element of 4 or 8 bytes from
/// `address` on, and all elements are in bounds.
struct CoalescedAccess {
  const Allocation* allocation;
  std::uint64_t address;
  std::uint64_t bytes;  ///< of all lanes
};

/// The addresses of a warp's lanes at one memory access.
/// LaneAddresses: the lane addresses of one access. They are those of the space itself: for shared memory, offsets in
/// it.
struct LaneAddresses {
  enum class How : std::uint8_t {
    coalesced,  ///< lane i touches the i-th element from `first` on
    as_before,  ///< as the site says: `span` is there
    apart,      ///< `span` and `address` are there
  };
  // locate() sets all members that are needed. Filling 400 bytes for each access would cost measurable time.
  How how;
  ptx::Space space;
  Mask mask;
  std::uint32_t bytes;               ///< of a lane
  std::uint64_t first;               ///< of neighbours: of lane 0, whether it takes part or not
  Span span;                         ///< see near()
  std::uint64_t address[kWarpSize];  ///< by lane
  AccessSite* site;

  std::uint64_t of(unsigned lane) const {
    return how == How::coalesced ? first + lane * std::uint64_t{bytes}
           : how == How::apart   ? address[lane]
                                 : span.least + span.offset[lane];
  }
  unsigned first_lane() const { return static_cast<unsigned>(__builtin_ctz(mask)); }
  unsigned last_lane() const { return 31 - static_cast<unsigned>(__builtin_clz(mask)); }
  std::uint64_t least() const { return how == How::coalesced ? of(first_lane()) : span.least; }
  /// Behind the last byte.
  std::uint64_t end() const { return (how == How::coalesced ? of(last_lane()) : span.most) + bytes; }
  /// Whether the offsets in `span` are complete: no lane lies 4 GiB behind another.
  bool near() const { return how != How::coalesced && span.most - span.least <= ~0u; }
  /// Each lane's element lies at a multiple of its size.
  bool aligned() const {
    return (bytes & (bytes - 1)) == 0 && ((how == How::coalesced ? least() : span.bits) & (bytes - 1)) == 0;
  }
  /// Fills `address`.
  void spell_out() {
    if (how == How::apart) return;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = of(lane);
    if (how == How::as_before) how = How::apart;
  }
};

inline ptx::Space space_of_address(std::uint64_t address) {
  switch (window_of(address)) {
    case kSharedWindow:
      return ptx::Space::shared;
    case kLocalWindow:
      return ptx::Space::local;
    case kParamWindow:
      return ptx::Space::param;
    default:
      return ptx::Space::global;
  }
}

inline std::uint64_t window_base(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return kSharedWindow;
    case ptx::Space::local:
      return kLocalWindow;
    case ptx::Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

/// The address of each lane of an access, as its register has it.
inline void lane_addresses(const LaneKernels& kernels, const Warp& warp, const WarpSplit& split,
                           const MemoryAccess& access, std::uint64_t* address) {
  using Base = MemoryAccess::Base;
  const std::byte* frame = warp.frames + split.frame;
  const auto displacement = static_cast<std::uint64_t>(access.displacement);
  switch (access.base_kind) {
    case Base::reg64:
      return kernels.add64(address, frame + access.base, displacement);
    case Base::reg32:
      return kernels.add32(address, frame + access.base, static_cast<std::uint32_t>(displacement));
    case Base::none:
      for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = displacement;
      break;
    case Base::frame:
      for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = displacement + split.local;
      break;
  }
}

/// 32-bit words of an element.
inline std::uint32_t words_of(std::uint32_t bytes) { return std::max(bytes / 4, 1u); }

/// Whether Nsight Compute counts it where it stands.
inline bool is_counted(const MemoryAccess& access, ptx::Space space) {
  if (access.joined.part == MemoryAccess::Joined::Part::other) return false;
  return space == ptx::Space::global || space == ptx::Space::shared ||
         (space == ptx::Space::local && !access.is_parameter);
}

/// count_passes.cpp. `address` is there.
Passes passes_of(const LaneKernels& kernels, const MemoryAccess& access, const LaneAddresses& at);
Passes row_passes(const LaneKernels& kernels, const LaneAddresses& row);  ///< of a whole ldmatrix or stmatrix
Passes atomic_passes(const LaneKernels& kernels, const AtomicAccess& atomic, const LaneAddresses& at);

}  // namespace cudasim
