// SPDX-License-Identifier: MIT
// What the machine tells the race checker of memory accesses and barriers.
#include <algorithm>
#include <cstring>
#include <new>

#include "machine/interpreter.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

bool is_strong(Ordering ordering) {
  switch (ordering) {
    case Ordering::weak:
    case Ordering::is_volatile:
      return false;
    case Ordering::relaxed:
    case Ordering::acquire:
    case Ordering::release:
    case Ordering::acquire_release:
      return true;
  }
  return false;
}

}  // namespace

/// Comes before each access while something watches the run.
void Interpreter::watch_access(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                               const MemoryAccess& access, bool atomic, Located& at) {
  if (!grid_.launch.unordered.empty() && at.space == Space::global)
    compare_streams(block, warp, op, access.is_store || atomic, atomic, at);
  tell_observers(&Observer::before, block, warp, op, access, atomic, at);
  if (races_ != nullptr && (at.space == Space::shared || at.space == Space::global)) {
    if (block.copies_pending != 0 && op.kind != Kind::async_copy) look_for_copies(block, warp, op, access.is_store, at);
    tell_access(block, warp, fragment, op, access, atomic, at);
  }
  if (init_ == nullptr) return;
  if (atomic) {
    watch_atomic(block, warp, fragment, op, program_.atomics[op.extra], at);
  } else {
    watch_values(block, warp, fragment, op, access, at);
  }
}

void Interpreter::tell_observers(void (Observer::*what)(const AccessSeen&), const Block& block, const Warp& warp,
                                 const MicroOp& op, const MemoryAccess& access, bool atomic, const Located& at) {
  const bool is_heard = std::any_of(observers_.begin(), observers_.end(),
                                    [&](const Observer* observer) { return observer->hears(block.linear); });
  if (!is_heard || (at.space != Space::shared && at.space != Space::global)) return;
  Located all = at;
  all.spell_out();
  const Passes counted = atomic ? atomic_passes(program_.atomics[op.extra], all) : passes(access, all);
  AccessSeen seen;
  seen.block = block.linear;
  seen.warp = warp.index;
  seen.instruction = op.counter;
  seen.space = at.space;
  seen.lanes = at.mask;
  seen.bytes = at.bytes;
  seen.is_store = access.is_store;
  seen.is_atomic = atomic;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool takes_part = (at.mask >> lane & 1) != 0;
    seen.address[lane] = takes_part ? at.of(lane) : 0;
    seen.memory[lane] = takes_part ? place_of(block, at, at.of(lane), at.bytes) : nullptr;
  }
  if (at.space == Space::global) seen.allocation = grid_.memory.find(at.of(at.first_lane()));
  seen.sectors = counted.sectors;
  seen.wavefronts = counted.wavefronts.count;
  seen.least_wavefronts = counted.wavefronts.least;
  using Part = MemoryAccess::Joined::Part;
  seen.counted_bytes = access.joined.part == Part::none ? at.bytes : access.joined.bytes;
  seen.counted_from = access.joined.offset;
  for (Observer* const observer : observers_) {
    if (observer->hears(block.linear)) (observer->*what)(seen);
  }
}

void Interpreter::tell_shuffle(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                               Mask mask) {
  const std::byte* frame = warp.frames + fragment.frame;
  ShuffleSeen seen;
  seen.block = block.linear;
  seen.warp = warp.index;
  seen.instruction = op.counter;
  seen.lanes = mask;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t distance, segment;
    std::memcpy(&distance, frame + op.b + 4 * lane, 4);
    std::memcpy(&segment, frame + op.c + 4 * lane, 4);
    bool in_range = false;
    seen.source[lane] = shuffle_source(program_.warp_operations[op.extra].mode, lane, distance, segment, in_range);
  }
  for (Observer* const observer : observers_) {
    if (observer->hears(block.linear)) observer->shuffle(seen);
  }
}

void Interpreter::tell_access(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                              const MemoryAccess& access, bool atomic, const Located& at) {
  auto room = races_->reserve();
  // Written where it stays: to copy what has just been written waits for all stores before it.
  auto& event = *new (room.front) RaceEvent;
  AccessKind kind;
  kind.store = access.is_store;
  kind.atomic = atomic;
  kind.strong = is_strong(access.ordering);
  kind.is_volatile = access.ordering == Ordering::is_volatile;
  kind.of_block = access.of_block;
  kind.observes = atomic ? program_.atomics[op.extra].returns : !access.is_store;
  event.access = kind;
  event.ordering = access.ordering;
  event.is_shared = at.space == Space::shared;
  event.warp = static_cast<std::uint8_t>(warp.index);
  event.slot = block.slot;
  event.instruction = op.counter;
  event.lanes = at.mask;
  event.bytes = static_cast<std::uint8_t>(at.bytes);
  if (at.how == Located::How::neighbours && !event.is_shared) {
    if (const std::byte* from = place_of(block, at, at.least(), at.end() - at.least()))
      look_ahead(*at.site, from, at.end() - at.least());
  }
  if (access.is_store && !atomic) {
    const std::size_t bytes = std::size_t{event.bytes} * warp_size;
    const std::size_t all = (2 * bytes + sizeof(Mask) + 7) / 8 * 8;
    room.back -= all;
    // Where the values of the next store will lie.
    for (std::size_t i = 0; i < all; i += 64) __builtin_prefetch(room.back - all + i, 1);
    event.values = static_cast<std::uint32_t>(room.back - room.front);
    copy_operands(warp, fragment, access, event, room.back);
    const Mask known = copy_places(block, at, room.back + bytes);
    std::memcpy(room.back + 2 * bytes, &known, sizeof known);
  }
  races_->put(room, event, at);
}

/// What a store is about to leave in memory.
void Interpreter::copy_operands(const Warp& warp, const Fragment& fragment, const MemoryAccess& access,
                                const RaceEvent& event, std::byte* to) {
  const std::byte* frame = warp.frames + fragment.frame;
  if (event.bytes == 4 && access.count == 1 && !access.data[0].wide) {
    std::memcpy(to, frame + access.data[0].slot, 4 * warp_size);
    return;
  }
  for (Mask m = event.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned i = 0; i < access.count; ++i) {
      const auto& data = access.data[i];
      std::memcpy(to + lane * event.bytes + i * access.bytes, frame + data.slot + (data.wide ? 8 : 4) * lane,
                  access.bytes);
    }
  }
}

/// The host's bytes behind an access, null unless they are all there.
const std::byte* Interpreter::place_of(const Block& block, const Located& at, std::uint64_t address,
                                       std::uint64_t bytes) const {
  if (at.space == Space::shared) return grid_.is_shared(address, bytes) ? block.shared + address : nullptr;
  const Allocation* allocation = allocation_at(*at.site, address);
  if (allocation == nullptr || allocation->host == nullptr) return nullptr;
  const std::uint64_t offset = address - allocation->address;
  return bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
}

/// Neighbouring words of global memory: loops mostly go on in equal steps, so the next ones are asked for. Two workers
/// wait for memory at the same time; the one that runs the blocks for the race checker has to wait less.
void Interpreter::look_ahead(Site& site, const std::byte* from, std::size_t bytes) {
  const auto next = reinterpret_cast<std::uintptr_t>(from) * 2 - reinterpret_cast<std::uintptr_t>(site.place);
  site.place = from;
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const void*>(next + i), 1);
}

/// What is there before it; returns the lanes whose place exists.
Mask Interpreter::copy_places(const Block& block, const Located& at, std::byte* to) const {
  auto place = [&](std::uint64_t address, std::uint64_t bytes) { return place_of(block, at, address, bytes); };
  if (at.how == Located::How::neighbours || at.near()) {
    if (const std::byte* from = place(at.least(), at.end() - at.least())) {
      if (at.how == Located::How::neighbours) {
        (at.bytes == 4 ? kernels_.copy32 : kernels_.copy64)(to, from - at.first_lane() * at.bytes, at.mask);
      } else if (at.bytes == 4) {  // the other lanes' offsets are 0
        kernels_.gather32(to, from, at.span.offset);
      } else {
        for (Mask m = at.mask; m != 0; m &= m - 1) {
          const auto lane = static_cast<unsigned>(__builtin_ctz(m));
          std::memcpy(to + lane * at.bytes, from + at.span.offset[lane], at.bytes);
        }
      }
      return at.mask;
    }
  }
  Mask known = 0;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::byte* from = place(at.of(lane), at.bytes);
    if (from == nullptr) continue;
    std::memcpy(to + lane * at.bytes, from, at.bytes);
    known |= 1u << lane;
  }
  return known;
}

void Interpreter::observe_barrier(const Block& block, std::uint32_t barrier, std::uint32_t warps) {
  std::uint32_t running = 0;
  for (const auto& warp : block.warps) running |= static_cast<std::uint32_t>(warp.live != 0) << warp.index;
  // A barrier for a number of threads waits for those that come, not for warps that have left.
  const bool counted = block.barriers[barrier].expected != 0;
  const bool all =
      counted ? static_cast<std::size_t>(__builtin_popcount(warps)) == block.warps.size() : (running & ~warps) == 0;
  races_->open_barrier(block.slot, barrier, warps, all);
}

}  // namespace cudasim
