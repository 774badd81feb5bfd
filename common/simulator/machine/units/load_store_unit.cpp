// SPDX-License-Identifier: MIT
// Loads and stores: bounds, the bytes themselves, and their counts. locate.cpp has found where the lanes lie. Bounds
// are tested once for all of them. An invalid access takes the slow path, lane by lane, which knows how to report the
// error.
#include "machine/units/load_store_unit.h"

#include <algorithm>
#include <cstring>

#include "messages/memory_fault.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

/// Distinct 32-byte sectors of elements of `bytes` that lie side by side, `first` being lane 0's address.
[[gnu::always_inline]] inline unsigned contiguous_sectors(std::uint64_t first, Mask mask, std::uint32_t bytes) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(mask));
  const auto highest = 31 - static_cast<unsigned>(__builtin_clz(mask));
  const std::uint64_t begin = first + lowest * bytes, end = first + (highest + 1) * bytes;
  const Mask run = mask >> lowest;
  if ((run & (run + 1)) == 0) return static_cast<unsigned>((end - 1) / 32 - begin / 32 + 1);  // no holes
  unsigned sectors = 0;
  std::uint64_t last = ~0ull;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const std::uint64_t address = first + static_cast<unsigned>(__builtin_ctz(m)) * bytes;
    const std::uint64_t low = address / 32, high = (address + bytes - 1) / 32;
    sectors += static_cast<unsigned>(high - low) + (low != last);
    last = high;
  }
  return sectors;
}

template <class Body>
void for_lanes(Mask mask, Body body) {
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) body(lane);
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) body(static_cast<unsigned>(__builtin_ctz(m)));
  }
}

template <class Word>
void copy_word(std::byte* to, const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
}

/// One element of every lane, at `at(lane)` in memory.
template <class Word, class At>
void move_words(bool is_store, std::byte* slot, At at, Mask mask) {
  if (is_store) {
    for_lanes(mask, [=](unsigned lane) { copy_word<Word>(at(lane), slot + sizeof(Word) * lane); });
  } else {
    for_lanes(mask, [=](unsigned lane) { copy_word<Word>(slot + sizeof(Word) * lane, at(lane)); });
  }
}

/// One lane's element between memory and a register slot.
void move_element(std::byte* memory, std::byte* slot, unsigned lane, const MemoryAccess& access,
                  const MemoryAccess::Data& data) {
  if (access.is_store) {
    std::memcpy(memory, slot + (data.wide ? 8 : 4) * lane, access.bytes);
    return;
  }
  if (data.sink) return;
  std::uint64_t value = 0;
  std::memcpy(&value, memory, access.bytes);
  if (access.sign_extend && access.bytes < 8) {
    const unsigned shift = 64u - 8u * access.bytes;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  }
  std::memcpy(slot + (data.wide ? 8 : 4) * lane, &value, data.wide ? 8 : 4);
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(Worker& worker)
    : Unit(worker),
      local_bytes_(worker.local_bytes),
      site_count_(count_of_sites(worker.program.origins.size())),
      sites_(zeroed<AccessSite>(site_count_)),
      patterns_(timing_ != nullptr ? zeroed<GlobalAccesses::Pattern>(worker.program.origins.size()) : nullptr),
      additions_(worker.additions),
      is_watched_(!worker.watchers.empty()),
      takes_coalesced_(is_watched_ && std::all_of(worker.watchers.begin(), worker.watchers.end(),
                                                  [](const auto& watcher) { return watcher->takes_coalesced(); })) {}

void LoadStoreUnit::fault(const Block& block, const Warp& warp, const MicroOp& op, Space space, std::uint64_t address,
                          unsigned lane, std::uint32_t bytes, bool is_store, FindingKind kind) {
  const MemoryFault fault{space, address, lane, bytes, is_store, kind};
  report(grid_, block, memory_fault(grid_, block, warp, op, fault, local_bytes_));
}

/// The host's bytes behind one lane's address, or nullptr and the error.
std::byte* LoadStoreUnit::resolve(const Block& block, const Warp& warp, const LaneAddresses& at, unsigned lane,
                                  bool is_store, FindingKind& problem) {
  const std::uint64_t address = at.of(lane);
  const std::uint32_t bytes = at.bytes;
  if (bytes > 1 && address % bytes != 0) {
    problem = FindingKind::misaligned;
    return nullptr;
  }
  problem = FindingKind::out_of_bounds;
  switch (at.space) {
    case Space::shared:
      return grid_.is_shared(address, bytes) ? block.shared + address : nullptr;
    case Space::local:
      return address < local_bytes_ && bytes <= local_bytes_ - address
                 ? warp.local + std::size_t{lane} * local_bytes_ + address
                 : nullptr;
    case Space::param: {
      auto& parameters =
          const_cast<std::vector<std::byte>&>(grid_.launch.parameters);  // never stored to: decoding refuses st.param
      if (is_store) problem = FindingKind::read_only;
      return !is_store && address < parameters.size() && bytes <= parameters.size() - address
                 ? parameters.data() + address
                 : nullptr;
    }
    case Space::generic:
    case Space::reg:
    case Space::global:
    case Space::constant:
      break;
  }
  const Allocation* allocation = at.site->allocation_at(grid_.memory, address);
  if (allocation == nullptr) {
    if (address < 1u << 16) problem = FindingKind::null_pointer;
    return nullptr;
  }
  if (allocation->host == nullptr) {
    problem = FindingKind::use_after_free;
    return nullptr;
  }
  if (is_store && allocation->read_only) {
    problem = FindingKind::read_only;
    return nullptr;
  }
  const std::uint64_t offset = address - allocation->address;
  if (bytes > allocation->size_bytes - offset) return nullptr;
  additions_.before(allocation->host + offset, bytes);
  return allocation->host + offset;
}

/// The host's bytes behind the least address, if all bytes from there to the end may be touched; or nullptr.
std::byte* LoadStoreUnit::resolve_span(const Block& block, const Warp& warp, const LaneAddresses& at, bool is_store) {
  const std::uint64_t least = at.least(), end = at.end();
  if (end < least) return nullptr;  // past the last address
  switch (at.space) {
    case Space::shared:
      return grid_.is_shared(least, end - least) ? block.shared + least : nullptr;
    case Space::local:
      return end <= local_bytes_ ? warp.local + least : nullptr;
    case Space::global:
    case Space::constant: {
      std::byte* const memory = at.site->bytes_at(grid_.memory, least, end, is_store);
      if (memory != nullptr) additions_.before(memory, end - least);
      return memory;
    }
    default:
      return nullptr;
  }
}

/// Accesses to shared memory that never conflict.
[[gnu::always_inline]] inline void LoadStoreUnit::count_coalesced(const MicroOp& op, bool is_store, Space space,
                                                                  std::uint64_t first, Mask mask, std::uint32_t bytes) {
  auto& c = counters_[op.counter];
  if (space == Space::shared) {
    ++(is_store ? c.shared_store_requests : c.shared_load_requests);
    ++(is_store ? c.shared_store_wavefronts : c.shared_load_wavefronts);
    return;
  }
  ++(is_store ? c.global_store_requests : c.global_load_requests);
  (is_store ? c.global_store_sectors : c.global_load_sectors) += contiguous_sectors(first, mask, bytes);
  if (timing_ == nullptr) return;
  timing_->come_to(op.counter);
  count_lines(is_store, first, mask, bytes);
}

/// The same for an estimate of the time.
void LoadStoreUnit::count_lines(bool is_store, std::uint64_t first, Mask mask, std::uint32_t bytes) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(mask));
  const Mask run = mask >> lowest;
  if ((run & (run + 1)) == 0) {  // no holes
    const std::uint64_t begin = first + lowest * bytes;
    return timing_->accesses.coalesced(is_store, begin, begin + count_lanes(mask) * bytes);
  }
  std::uint64_t address[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = first + lane * bytes;
  timing_->accesses.apart(is_store, address, bytes, mask);
}

void LoadStoreUnit::count_lines(const MicroOp& op, const MemoryAccess& access, const LaneAddresses& at) {
  if (timing_ == nullptr || at.space != Space::global || !is_counted(access, at.space)) return;
  timing_->come_to(op.counter);
  timing_->accesses.apart(access.is_store, at.address, at.bytes, at.mask);
}

/// Elements of 4 or 8 bytes side by side.
bool LoadStoreUnit::move_coalesced(const Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op,
                                   const MemoryAccess& access, const LaneAddresses& at) {
  const unsigned lane = at.first_lane();
  const std::uint64_t begin = at.first + lane * at.bytes;
  if ((begin & (at.bytes - 1)) != 0) return false;
  std::byte* memory = resolve_span(block, warp, at, access.is_store);
  if (memory == nullptr) return false;
  if (at.space == Space::global) look_ahead(at.site->place, memory, at.end() - at.least(), access.is_store);
  memory -= lane * at.bytes;
  std::byte* slot = warp.frames + split.frame + access.data[0].slot;
  const auto copy = at.bytes == 4 ? kernels_.copy32 : kernels_.copy64;
  access.is_store ? copy(memory, slot, at.mask) : copy(slot, memory, at.mask);
  if (access.joined.part != MemoryAccess::Joined::Part::none) {
    LaneAddresses all = at;
    all.spell_out();
    count(op, access, at.space, passes_of(kernels_, access, all));
    count_lines(op, access, all);
    return true;
  }
  count_coalesced(op, access.is_store, at.space, at.first, at.mask, at.bytes);
  return true;
}

/// See move_simple(). `mask` may be a constant.
template <class Element, class Address, bool is_store>
[[gnu::always_inline]] inline bool LoadStoreUnit::move_side_by_side(const Block& block, std::byte* frame,
                                                                    const MicroOp& op, const MemoryAccess& access,
                                                                    AccessSite& site, Mask mask,
                                                                    LaneKernels::MoveCoalesced move) {
  constexpr std::uint64_t kBytes = sizeof(Element);
  constexpr bool kInGlobal = sizeof(Address) == 8;
  const auto* const base = reinterpret_cast<const Address*>(frame + access.base);
  const auto lane = static_cast<unsigned>(__builtin_ctz(mask)), last = 31 - static_cast<unsigned>(__builtin_clz(mask));
  const std::uint64_t begin = base[lane], length = (last - lane) * kBytes;
  if (base[last] != begin + length) return false;  // no need to test the others
  const std::uint64_t least = begin + static_cast<std::uint64_t>(access.displacement), end = least + length + kBytes;
  if (least % kBytes != 0 || end < least) return false;
  std::byte* memory = nullptr;
  if constexpr (kInGlobal) {
    memory = site.bytes_at(grid_.memory, least, end, is_store);
    if (memory == nullptr) return false;
    additions_.before(memory, end - least);
  } else {
    if (!grid_.is_shared(least, end - least)) return false;
    memory = block.shared + least;
  }
  std::byte* const slot = frame + access.data[0].slot;
  std::byte* const of_lane_0 = memory - lane * kBytes;
  if (!move(base, begin - lane * kBytes, is_store ? of_lane_0 : slot, is_store ? slot : of_lane_0, mask)) return false;
  if constexpr (kInGlobal) look_ahead(site.place, memory, end - least, is_store);
  count_coalesced(op, is_store, kInGlobal ? Space::global : Space::shared, least - lane * kBytes, mask, kBytes);
  return true;
}

/// An access that is_simple, where nothing watches, if its lanes touch elements side by side. It is located, moved and
/// counted in one go. False: nothing has been done.
template <bool is_store>
bool LoadStoreUnit::move_simple(const Block& block, std::byte* frame, const MicroOp& op, const MemoryAccess& access,
                                AccessSite& site, Mask mask) {
  using Word = std::uint32_t;
  using Pair = std::uint64_t;
  if (access.space == Space::shared)
    return move_side_by_side<Word, Word, is_store>(block, frame, op, access, site, mask,
                                                   kernels_.move_coalesced32_at_32);
  if (access.bytes == 8)
    return move_side_by_side<Pair, Pair, is_store>(block, frame, op, access, site, mask,
                                                   kernels_.move_coalesced64_at_64);
  const auto move = kernels_.move_coalesced32_at_64;
  return mask == ~0u ? move_side_by_side<Word, Pair, is_store>(block, frame, op, access, site, ~0u, move)
                     : move_side_by_side<Word, Pair, is_store>(block, frame, op, access, site, mask, move);
}

template bool LoadStoreUnit::move_simple<false>(const Block& block, std::byte* frame, const MicroOp& op,
                                                const MemoryAccess& access, AccessSite& site, Mask mask);
template bool LoadStoreUnit::move_simple<true>(const Block& block, std::byte* frame, const MicroOp& op,
                                               const MemoryAccess& access, AccessSite& site, Mask mask);

/// An access that is_simple, of a whole warp to global memory, if its lanes touch elements side by side. The watchers
/// must have no more to report of it: they get the access, and it is moved and counted. False: nothing has been moved.
bool LoadStoreUnit::move_coalesced_watched(const Step& step, const MemoryAccess& access) {
  std::byte* const frame = step.warp.frames + step.split.frame;
  const auto* const base = reinterpret_cast<const std::uint64_t*>(frame + access.base);
  const std::uint32_t bytes = access.bytes;
  const std::uint64_t begin = base[0], length = std::uint64_t{kWarpSize} * bytes;
  if (base[kWarpSize - 1] != begin + length - bytes) return false;  // no need to test the others
  const std::uint64_t least = begin + static_cast<std::uint64_t>(access.displacement), end = least + length;
  if (least % bytes != 0 || end < least || !kernels_.contiguous64(base, begin, bytes, ~0u)) return false;
  AccessSite& site = this->site(step.op, access.is_store);
  std::byte* const memory = site.bytes_at(grid_.memory, least, end, access.is_store);
  if (memory == nullptr) return false;
  const CoalescedAccess now{site.allocation, least, length};
  // From behind: the watcher of undefined values comes last, and may be called twice.
  const bool is_noticed = std::all_of(watchers_.rbegin(), watchers_.rend(), [&](const auto& watcher) {
    return watcher->before_coalesced(step, access, site, now);
  });
  if (!is_noticed) return false;
  additions_.before(memory, length);
  look_ahead(site.place, memory, length, access.is_store);
  std::byte* const slot = frame + access.data[0].slot;
  kernels_.copy_all(access.is_store ? memory : slot, access.is_store ? slot : memory, bytes == 8);
  count_coalesced(step.op, access.is_store, Space::global, least, ~0u, bytes);
  return true;
}

bool LoadStoreUnit::move_at_once(const Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op,
                                 const MemoryAccess& access, LaneAddresses& at) {
  if (!at.near() || !at.aligned()) return false;
  std::byte* memory = resolve_span(block, warp, at, access.is_store);
  if (memory == nullptr) return false;
  const std::size_t stride = at.space == Space::local ? local_bytes_ : 0;
  for (unsigned i = 0; i < access.count; ++i) {
    const auto& data = access.data[i];
    std::byte* slot = warp.frames + split.frame + data.slot;
    std::byte* element = memory + i * access.bytes;
    auto place = [=, &at](unsigned lane) { return element + at.span.offset[lane] + lane * stride; };
    if (access.bytes == 4 && !data.wide && !data.sink && !access.is_store && stride == 0) {
      kernels_.gather32(slot, element, at.span.most - at.span.least + 4, at.span.offset, at.mask);
    } else if (access.bytes == 4 && !data.wide && !data.sink) {
      move_words<std::uint32_t>(access.is_store, slot, place, at.mask);
    } else if (access.bytes == 8 && data.wide && !data.sink) {
      move_words<std::uint64_t>(access.is_store, slot, place, at.mask);
    } else {
      for_lanes(at.mask, [&](unsigned lane) { move_element(place(lane), slot, lane, access, data); });
    }
  }
  count_as_before(op, access, at);
  may_repeat(access, at);
  return true;
}

/// Notes how far the lanes of this access, which has just been made and counted, may lie elsewhere without a new
/// look-up.
void LoadStoreUnit::may_repeat(const MemoryAccess& access, const LaneAddresses& at) const {
  AccessSite& site = *at.site;
  site.repeats = false;
  if (access.space != Space::shared || access.base_kind != MemoryAccess::Base::reg32 || at.mask != ~0u ||
      access.bytes != 4 || access.count > 4)
    return;
  for (unsigned i = 0; i < access.count; ++i) {
    if (access.data[i].wide || access.data[i].sink) return;
  }
  for (const auto& range : grid_.shared_ranges) {
    if (at.least() - range.begin >= range.bytes) continue;
    site.room_begin = range.begin;
    site.room = range.bytes - static_cast<std::uint32_t>(at.end() - at.least());
    site.repeats = true;
  }
}

/// Whether no watcher has more to report of an access than that it was made again.
bool LoadStoreUnit::is_nothing_new(const Step& step, const MemoryAccess& access, AccessSite& site,
                                   const std::uint32_t* base, std::uint32_t begin) const {
  if (!kernels_.same_distances(base, site.offset)) return false;
  // From behind: the watcher of undefined values comes last, and is quick.
  return std::all_of(watchers_.rbegin(), watchers_.rend(),
                     [&](const auto& watcher) { return watcher->before_again(step, access, site, begin); });
}

/// The same access again, with the same distances between its lanes. False: nothing has been done.
inline bool LoadStoreUnit::repeat(const Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                  const MemoryAccess& access, Mask mask) {
  AccessSite& site = this->site(op, access.is_store);
  if (!site.repeats || site.access != &access || mask != ~0u) return false;
  std::byte* const frame = warp.frames + split.frame;
  const auto* base = reinterpret_cast<const std::uint32_t*>(frame + access.base);
  const std::uint32_t begin = base[0] - site.offset[0] + static_cast<std::uint32_t>(access.displacement);
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.count;
  if (begin - site.room_begin > site.room || (begin & (bytes - 1)) != 0) return false;
  if (!watchers_.empty() && !is_nothing_new({block, warp, split, op}, access, site, base, begin)) return false;
  WordMove move;
  move.memory = block.shared + begin;
  move.offset = site.offset;
  move.bytes = site.most - site.least + bytes;
  move.count = access.count;
  move.is_store = access.is_store;
  for (unsigned i = 0; i < access.count; ++i) move.slot[i] = frame + access.data[i].slot;
  if (!kernels_.move_if_same_distances(base, move)) return false;
  count(op, access, Space::shared, site.passes);
  return true;
}

bool LoadStoreUnit::move_each(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                              const MemoryAccess& access, LaneAddresses& at) {
  std::byte* frame = warp.frames + split.frame;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    FindingKind problem;
    std::byte* memory = resolve(block, warp, at, lane, access.is_store, problem);
    if (memory == nullptr) {
      fault(block, warp, op, at.space, at.of(lane), lane, at.bytes, access.is_store, problem);
      return false;
    }
    for (unsigned i = 0; i < access.count; ++i)
      move_element(memory + i * access.bytes, frame + access.data[i].slot, lane, access, access.data[i]);
  }
  at.spell_out();
  count(op, access, at.space, passes_of(kernels_, access, at));
  count_lines(op, access, at);
  return true;
}

/// See is_plain_parameter().
void LoadStoreUnit::fill_parameter(std::byte* frame, const MemoryAccess& access, Mask mask) const {
  std::uint64_t value = 0;
  std::memcpy(&value, grid_.launch.parameters.data() + access.displacement, access.bytes);
  const auto& data = access.data[0];
  (data.wide ? kernels_.fill64 : kernels_.fill32)(frame + data.slot, value, mask);
}

bool LoadStoreUnit::access_located(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                   const MemoryAccess& access, LaneAddresses& at) {
  const Step step{block, warp, split, op};
  for (const auto& watcher : watchers_) watcher->before(step, access, nullptr, at);
  const bool moved = at.how == LaneAddresses::How::coalesced ? move_coalesced(block, warp, split, op, access, at)
                                                             : move_at_once(block, warp, split, op, access, at);
  if (!moved && !move_each(block, warp, split, op, access, at)) return false;
  for (const auto& watcher : watchers_) watcher->after(step, access, nullptr, at);
  return true;
}

bool LoadStoreUnit::access_any(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                               const MemoryAccess& access, Mask mask) {
  if (access.space == Space::param && is_plain_parameter(access, grid_.launch.parameters.size())) {
    fill_parameter(warp.frames + split.frame, access, mask);
    if (values_ != nullptr) values_->result(warp, split, access.data[0].slot, mask);
    return true;
  }
  return repeat(block, warp, split, op, access, mask) || locate_and_access(block, warp, split, op, access, mask);
}

// The rest of it is short, and most accesses are nothing else.
[[gnu::flatten]] bool LoadStoreUnit::locate_and_access(Block& block, Warp& warp, const WarpSplit& split,
                                                       const MicroOp& op, const MemoryAccess& access, Mask mask) {
  if (values_ != nullptr) values_->base({block, warp, split, op}, access, mask);
  LaneAddresses at;
  do {
    mask = locate(warp, split, op, access, mask, at);
    if (access.space == Space::generic && access.is_store && at.space != Space::local) ++generic_stores_;
    if (!access_located(block, warp, split, op, access, at)) return false;
  } while (mask != 0);
  return true;
}

void LoadStoreUnit::forget_allocations() {
  for (std::size_t i = 0; i < site_count_; ++i) sites_[i].allocation = nullptr;
  for (const auto& watcher : watchers_) watcher->forget_allocations();
}

}  // namespace cudasim
