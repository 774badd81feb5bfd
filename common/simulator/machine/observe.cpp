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

void Interpreter::observe_access(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                 const MemoryAccess& access, bool atomic, Mask mask) {
  RaceEvent event;
  event.slot = block.slot;
  event.warp = warp.index;
  event.instruction = op.counter;
  event.bytes = std::uint32_t{access.bytes} * access.count;
  event.access.store = access.is_store;
  event.access.atomic = atomic;
  event.access.strong = is_strong(access.ordering);
  event.access.is_volatile = access.ordering == Ordering::is_volatile;
  event.access.of_block = access.of_block;
  event.ordering = access.ordering;
  event.lanes = mask;
  Space space = access.space;
  if (touches_neighbours(warp, fragment, access, mask, event.first)) {
    if (space == Space::generic) {
      space = space_of_address(event.first + 4 * static_cast<unsigned>(__builtin_ctz(mask)));
      event.first -= window_base(space);
    }
    return tell_access(block, warp, fragment, op, access, space, event, nullptr);
  }
  Lanes lanes;
  addresses(fragment, warp, access, lanes);
  if (space != Space::generic) return tell_access(block, warp, fragment, op, access, space, event, &lanes);
  while (mask != 0) {
    space = space_of_address(lanes.address[__builtin_ctz(mask)]);
    event.lanes = 0;
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (space_of_address(lanes.address[lane]) != space) continue;
      event.lanes |= 1u << lane;
      lanes.address[lane] -= window_base(space);
    }
    tell_access(block, warp, fragment, op, access, space, event, &lanes);
    mask &= ~event.lanes;
  }
}

/// `lanes`: null where the event says where its lanes lie.
void Interpreter::tell_access(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                              const MemoryAccess& access, Space space, const RaceEvent& seen, const Lanes* lanes) {
  if (space != Space::shared && space != Space::global) return;
  std::byte* next = races_->reserve();
  auto& event = *new (next) RaceEvent(seen);
  next += sizeof event;
  event.is_shared = space == Space::shared;
  event.findings = static_cast<std::uint32_t>(grid_.findings.size());
  event.has_addresses = lanes != nullptr;
  if (lanes != nullptr) {
    std::memcpy(next, lanes->address, sizeof lanes->address);
    next += sizeof lanes->address;
  }
  event.has_values = event.access.store && !event.access.atomic;
  if (event.has_values) {
    const std::size_t bytes = std::size_t{event.bytes} * warp_size;
    copy_operands(warp, fragment, access, event, next);
    event.known = copy_places(block, op, event, lanes, next + bytes);
    next += 2 * bytes;
  }
  races_->commit(event, next);
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

/// What is there before it; returns the lanes whose place exists.
Mask Interpreter::copy_places(const Block& block, const MicroOp& op, const RaceEvent& event, const Lanes* lanes,
                              std::byte* to) {
  auto place = [&](std::uint64_t address, std::uint64_t bytes) -> const std::byte* {
    if (event.is_shared) return grid_.is_shared(address, bytes) ? block.shared + address : nullptr;
    const Allocation* allocation = allocation_for(op.counter, address);
    if (allocation == nullptr || allocation->host == nullptr) return nullptr;
    const std::uint64_t offset = address - allocation->address;
    return bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
  };
  if (lanes == nullptr) {
    const auto first = static_cast<unsigned>(__builtin_ctz(event.lanes));
    const std::size_t stretch = 4 * (warp_size - static_cast<unsigned>(__builtin_clz(event.lanes)) - first);
    if (const std::byte* from = place(event.first + 4 * first, stretch)) {
      std::memcpy(to + 4 * first, from, stretch);
      return event.lanes;
    }
  }
  Mask known = 0;
  for (Mask m = event.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::byte* from = place(lanes != nullptr ? lanes->address[lane] : event.first + 4 * lane, event.bytes);
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
