// SPDX-License-Identifier: MIT
// What the machine tells the race checker of memory accesses and barriers.
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

/// The address of lane 0 when lane i touches the 4 bytes 4 * i further on, read from the base register as it is: a
/// vector of addresses that has just been written is slow to read back.
bool Interpreter::touches_neighbours(const Warp& warp, const Fragment& fragment, const MemoryAccess& access, Mask mask,
                                     std::uint64_t& first) const {
  if (access.bytes != 4 || access.count != 1) return false;
  const std::byte* slot = warp.frames + fragment.frame + access.base;
  const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
  if (access.base_kind == MemoryAccess::Base::reg64) {
    const auto* base = reinterpret_cast<const std::uint64_t*>(slot);
    first = base[lane] - 4 * lane;
    if (!kernels_.contiguous64(base, first, 4, mask)) return false;
    first += static_cast<std::uint64_t>(access.displacement);
    return true;
  }
  if (access.base_kind != MemoryAccess::Base::reg32) return false;
  const auto* base = reinterpret_cast<const std::uint32_t*>(slot);
  const std::uint32_t zero = base[lane] - 4 * lane;
  if (!kernels_.contiguous32(base, zero, mask)) return false;
  // With addresses that wrap around nothing can be said by the first one alone.
  const std::uint64_t begin = std::uint64_t{base[lane]} + static_cast<std::uint64_t>(access.displacement);
  first = begin - 4 * lane;
  return begin < 0x7fffffffu;
}

Interpreter::Located Interpreter::observe_access(const Block& block, const Warp& warp, const Fragment& fragment,
                                                 const MicroOp& op, const MemoryAccess& access, bool atomic, Mask mask,
                                                 Lanes& lanes, Span& span) {
  if (access.space == Space::shared && access.base_kind == MemoryAccess::Base::reg32 && mask == ~0u) {
    const auto* base = reinterpret_cast<const std::uint32_t*>(warp.frames + fragment.frame + access.base);
    if (races_->lie_as_before(op.counter, base, static_cast<std::uint32_t>(access.displacement),
                              std::uint32_t{access.bytes} * access.count, span)) {
      tell_access(block, warp, fragment, op, access, atomic, access.space, mask, span.least, &span, nullptr, true);
      return Located::as_before;
    }
  }
  std::uint64_t first = 0;
  const bool neighbours = touches_neighbours(warp, fragment, access, mask, first);
  if (neighbours) {
    Space space = access.space;
    if (space == Space::generic) {
      space = space_of_address(first + 4 * static_cast<unsigned>(__builtin_ctz(mask)));
      first -= window_base(space);
    }
    tell_access(block, warp, fragment, op, access, atomic, space, mask, first, nullptr, nullptr);
    return Located::neighbours;
  }
  addresses(fragment, warp, access, lanes);
  kernels_.span(lanes.address, mask, span);
  if (access.space != Space::generic) {
    tell_access(block, warp, fragment, op, access, atomic, access.space, mask, span.least, &span, &lanes);
    return Located::spans;
  }
  if (window_of(span.least) == window_of(span.most)) {
    const Space space = space_of_address(span.least);
    tell_access(block, warp, fragment, op, access, atomic, space, mask, span.least - window_base(space), &span, &lanes);
    return Located::spans;
  }
  Lanes inside = lanes;
  while (mask != 0) {
    const Space space = space_of_address(lanes.address[__builtin_ctz(mask)]);
    Mask group = 0;
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (space_of_address(lanes.address[lane]) != space) continue;
      group |= 1u << lane;
      inside.address[lane] -= window_base(space);
    }
    Span part;
    kernels_.span(inside.address, group, part);
    tell_access(block, warp, fragment, op, access, atomic, space, group, part.least, &part, &inside);
    mask &= ~group;
  }
  return Located::spans;
}

/// `span` and `lanes`: null for neighbours; `lanes` also where all are known to lie near each other.
void Interpreter::tell_access(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                              const MemoryAccess& access, bool atomic, Space space, Mask mask, std::uint64_t first,
                              const Span* span, const Lanes* lanes, bool as_before) {
  if (space != Space::shared && space != Space::global) return;
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
  event.is_shared = space == Space::shared;
  event.warp = static_cast<std::uint8_t>(warp.index);
  event.slot = block.slot;
  event.instruction = op.counter;
  event.lanes = mask;
  event.bytes = static_cast<std::uint8_t>(access.bytes * access.count);
  event.first = first;
  if (span == nullptr && !event.is_shared) {
    if (const std::byte* from = place_of(block, op, false, first + 4 * static_cast<unsigned>(__builtin_ctz(mask)), 4))
      look_ahead(op, from, 4 * count_lanes(mask));
  }
  const bool near = span != nullptr && span->most - span->least <= ~0u;
  if (access.is_store && !atomic) {
    const std::size_t bytes = std::size_t{event.bytes} * warp_size;
    const std::size_t all = (2 * bytes + sizeof(Mask) + 7) / 8 * 8;
    room.back -= all;
    // Where the values of the next store will lie.
    for (std::size_t i = 0; i < all; i += 64) __builtin_prefetch(room.back - all + i, 1);
    event.values = static_cast<std::uint32_t>(room.back - room.front);
    copy_operands(warp, fragment, access, event, room.back);
    const Mask known = copy_places(block, op, event, near ? span : nullptr, lanes, room.back + bytes);
    std::memcpy(room.back + 2 * bytes, &known, sizeof known);
  }
  races_->put(room, event, near ? span : nullptr, near || lanes == nullptr ? nullptr : lanes->address, as_before);
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
const std::byte* Interpreter::place_of(const Block& block, const MicroOp& op, bool is_shared, std::uint64_t address,
                                       std::uint64_t bytes) {
  if (is_shared) return grid_.is_shared(address, bytes) ? block.shared + address : nullptr;
  const Allocation* allocation = allocation_for(op.counter, address);
  if (allocation == nullptr || allocation->host == nullptr) return nullptr;
  const std::uint64_t offset = address - allocation->address;
  return bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
}

/// Neighbouring words of global memory: loops mostly go on in equal steps, so the next ones are asked for. Two workers
/// wait for memory at the same time; the one that runs the blocks for the race checker has to wait less.
void Interpreter::look_ahead(const MicroOp& op, const std::byte* from, std::size_t bytes) {
  const std::byte*& last = last_place_[op.counter % last_place_.size()];
  const auto next = reinterpret_cast<std::uintptr_t>(from) * 2 - reinterpret_cast<std::uintptr_t>(last);
  last = from;
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(reinterpret_cast<const void*>(next + i), 1);
}

/// What is there before it; returns the lanes whose place exists.
Mask Interpreter::copy_places(const Block& block, const MicroOp& op, const RaceEvent& event, const Span* span,
                              const Lanes* lanes, std::byte* to) {
  auto place = [&](std::uint64_t address, std::uint64_t bytes) {
    return place_of(block, op, event.is_shared, address, bytes);
  };
  if (lanes == nullptr && span == nullptr) {
    const std::size_t first = 4 * static_cast<unsigned>(__builtin_ctz(event.lanes));
    const std::size_t end = 4 * (warp_size - static_cast<unsigned>(__builtin_clz(event.lanes)));
    if (const std::byte* from = place(event.first + first, end - first)) {
      kernels_.copy32(to, from - first, event.lanes);
      return event.lanes;
    }
  } else if (span != nullptr) {
    if (const std::byte* from = place(event.first, span->most - span->least + event.bytes)) {
      if (event.bytes == 4) {  // the other lanes' offsets are 0
        kernels_.gather32(to, from, span->offset);
        return event.lanes;
      }
      for (Mask m = event.lanes; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        std::memcpy(to + lane * event.bytes, from + span->offset[lane], event.bytes);
      }
      return event.lanes;
    }
  }
  Mask known = 0;
  for (Mask m = event.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = lanes != nullptr  ? lanes->address[lane]
                                  : span != nullptr ? span->least + span->offset[lane]
                                                    : event.first + 4 * lane;
    const std::byte* from = place(address, event.bytes);
    if (from == nullptr) continue;
    std::memcpy(to + lane * event.bytes, from, event.bytes);
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
