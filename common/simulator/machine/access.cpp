// SPDX-License-Identifier: MIT
// Loads and stores: addresses of the lanes, bounds, the bytes themselves, and what is counted about them. Accesses in
// which lane i touches the i-th element are taken as a whole; all others lane by lane.
#include <algorithm>
#include <cstring>

#include "machine/interpreter.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

/// Distinct 32-byte sectors of elements of `bytes` that lie side by side, `first` being lane 0's address.
unsigned contiguous_sectors(std::uint64_t first, Mask mask, std::uint32_t bytes) {
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

}  // namespace

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
    const unsigned shift = 64 - 8 * access.bytes;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  }
  std::memcpy(slot + (data.wide ? 8 : 4) * lane, &value, data.wide ? 8 : 4);
}

Space space_of_address(std::uint64_t address) {
  switch (window_of(address)) {
    case shared_window:
      return Space::shared;
    case local_window:
      return Space::local;
    case param_window:
      return Space::param;
    default:
      return Space::global;
  }
}

std::uint64_t window_base(Space space) {
  switch (space) {
    case Space::shared:
      return shared_window;
    case Space::local:
      return local_window;
    case Space::param:
      return param_window;
    default:
      return 0;
  }
}

void Interpreter::addresses(const Fragment& fragment, const Warp& warp, const MemoryAccess& access,
                            Lanes& lanes) const {
  const std::byte* frame = warp.frames + fragment.frame;
  const auto displacement = static_cast<std::uint64_t>(access.displacement);
  switch (access.base_kind) {
    case MemoryAccess::Base::reg64:
      return kernels_.add64(lanes.address, frame + access.base, displacement);
    case MemoryAccess::Base::reg32:
      return kernels_.add32(lanes.address, frame + access.base, static_cast<std::uint32_t>(displacement));
    case MemoryAccess::Base::none:
      for (unsigned lane = 0; lane < warp_size; ++lane) lanes.address[lane] = displacement;
      break;
    case MemoryAccess::Base::frame:
      for (unsigned lane = 0; lane < warp_size; ++lane) lanes.address[lane] = displacement + fragment.local;
      break;
  }
}

const Allocation* Interpreter::allocation_for(std::uint32_t site, std::uint64_t address) {
  const Allocation*& cached = allocation_cache_[site % allocation_cache_.size()];
  if (cached == nullptr || !cached->contains(address)) cached = grid_.memory.find(address);
  return cached;
}

/// The host's bytes behind one lane's address, or nullptr and what is wrong.
std::byte* Interpreter::resolve(Block& block, Warp& warp, const MicroOp& op, Space space, std::uint64_t address,
                                unsigned lane, std::uint32_t bytes, bool is_store, FindingKind& problem) {
  if (bytes > 1 && address % bytes != 0) {
    problem = FindingKind::misaligned;
    return nullptr;
  }
  problem = FindingKind::out_of_bounds;
  switch (space) {
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
  const Allocation* allocation = allocation_for(op.counter, address);
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
  return bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
}

/// A load or store of global memory in which the lanes touch neighbouring elements of 4 or 8 bytes. False: take the
/// long way.
bool Interpreter::fast_global(const Warp& warp, const Fragment& fragment, const MicroOp& op, const MemoryAccess& access,
                              Mask mask, bool neighbours) {
  if (access.base_kind != MemoryAccess::Base::reg64 || access.count != 1 || access.bytes < 4) return false;
  const auto& data = access.data[0];
  if (data.sink || data.wide != (access.bytes == 8)) return false;
  const auto* base = reinterpret_cast<const std::uint64_t*>(warp.frames + fragment.frame + access.base);
  const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
  const std::uint32_t bytes = access.bytes;
  const std::uint64_t zero = base[lane] - lane * bytes;
  if (!neighbours && !kernels_.contiguous64(base, zero, bytes, mask)) return false;
  const std::uint64_t first = zero + static_cast<std::uint64_t>(access.displacement);
  const std::uint64_t begin = first + lane * bytes;
  const std::uint64_t span = (32 - static_cast<unsigned>(__builtin_clz(mask)) - lane) * bytes;
  const Allocation* allocation = allocation_for(op.counter, begin);
  if (allocation == nullptr || allocation->host == nullptr || (begin & (bytes - 1)) != 0 ||
      (access.is_store && allocation->read_only))
    return false;
  const std::uint64_t offset = begin - allocation->address;
  if (span > allocation->size_bytes - offset) return false;
  std::byte* host = allocation->host + offset - lane * bytes;
  std::byte* slot = warp.frames + fragment.frame + data.slot;
  const auto copy = bytes == 4 ? kernels_.copy32 : kernels_.copy64;
  auto& c = counters_[op.counter];
  const unsigned sectors = contiguous_sectors(first, mask, bytes);
  if (access.is_store) {
    copy(host, slot, mask);
    ++c.global_store_requests;
    c.global_store_sectors += sectors;
  } else {
    copy(slot, host, mask);
    ++c.global_load_requests;
    c.global_load_sectors += sectors;
  }
  return true;
}

/// The same for shared memory: neighbouring elements of 4 bytes, which never conflict.
bool Interpreter::fast_shared(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                              const MemoryAccess& access, Mask mask, bool neighbours) {
  const auto& data = access.data[0];
  if (access.base_kind != MemoryAccess::Base::reg32 || access.count != 1 || access.bytes != 4 || data.wide || data.sink)
    return false;
  const auto* base = reinterpret_cast<const std::uint32_t*>(warp.frames + fragment.frame + access.base);
  const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
  const std::uint32_t zero = base[lane] - 4 * lane;
  if (!neighbours && !kernels_.contiguous32(base, zero, mask)) return false;
  const std::uint32_t first = zero + static_cast<std::uint32_t>(access.displacement);
  const std::uint32_t begin = first + 4 * lane;
  const std::uint32_t span = (32 - static_cast<unsigned>(__builtin_clz(mask)) - lane) * 4;
  if (begin % 4 != 0 || !grid_.is_shared(begin, span)) return false;
  std::byte* host = block.shared + begin - 4 * lane;
  std::byte* slot = warp.frames + fragment.frame + data.slot;
  if (access.is_store) {
    kernels_.copy32(host, slot, mask);
  } else {
    kernels_.copy32(slot, host, mask);
  }
  auto& c = counters_[op.counter];
  ++(access.is_store ? c.shared_store_requests : c.shared_load_requests);
  ++(access.is_store ? c.shared_store_wavefronts : c.shared_load_wavefronts);
  return true;
}

bool Interpreter::access_space(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                               const MemoryAccess& access, Space space, const Lanes& lanes, Mask mask) {
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.count;
  std::byte* frame = warp.frames + fragment.frame;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    FindingKind problem;
    std::byte* memory = resolve(block, warp, op, space, lanes.address[lane], lane, bytes, access.is_store, problem);
    if (memory == nullptr) {
      memory_fault(block, warp, op, space, lanes.address[lane], lane, bytes, access.is_store, problem);
      return false;
    }
    for (unsigned i = 0; i < access.count; ++i)
      move_element(memory + i * access.bytes, frame + access.data[i].slot, lane, access, access.data[i]);
  }
  count(op, access, space, passes(access, space, lanes, mask));
  return true;
}

/// A kernel parameter: one value for all lanes.
bool Interpreter::fast_parameter(const Warp& warp, const Fragment& fragment, const MemoryAccess& access, Mask mask) {
  const auto& data = access.data[0];
  const auto offset = static_cast<std::uint64_t>(access.displacement);
  const auto& parameters = grid_.launch.parameters;
  if (access.base_kind != MemoryAccess::Base::none || access.count != 1 || access.sign_extend || data.sink)
    return false;
  if ((offset & (access.bytes - 1u)) != 0 || offset >= parameters.size() || access.bytes > parameters.size() - offset)
    return false;
  std::uint64_t value = 0;
  std::memcpy(&value, parameters.data() + offset, access.bytes);
  std::byte* slot = warp.frames + fragment.frame + data.slot;
  (data.wide ? kernels_.fill64 : kernels_.fill32)(slot, value, mask);
  return true;
}

bool Interpreter::access_memory(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                const MemoryAccess& access, Mask mask) {
  Lanes lanes;
  Span span;
  const bool threads_share =
      access.space == Space::shared || access.space == Space::global || access.space == Space::generic;
  if (!grid_.launch.unordered.empty() && threads_share && access.space != Space::shared)
    compare_streams(block, warp, fragment, op, access, false, mask);
  Located located = Located::no;
  if (races_ != nullptr && threads_share) {
    located = observe_access(block, warp, fragment, op, access, false, mask, lanes, span);
  }
  if (init_ != nullptr) watch_access(block, warp, fragment, op, access, mask);
  const bool neighbours = located == Located::neighbours, spans = located >= Located::spans;
  const bool words = spans && access.bytes == 4;  // which are no neighbours, it turned out
  if (access.space == Space::global || access.space == Space::generic) {
    if (!words && fast_global(warp, fragment, op, access, mask, neighbours)) return true;
  } else if (access.space == Space::shared && !spans &&
             fast_shared(block, warp, fragment, op, access, mask, neighbours)) {
    return true;
  }
  if (access.space == Space::param && fast_parameter(warp, fragment, access, mask)) return true;
  if (!spans) {
    addresses(fragment, warp, access, lanes);
    kernels_.span(lanes.address, mask, span);
  }
  if (access_at_once(block, warp, fragment, op, access, lanes, span, mask, located == Located::as_before)) return true;
  if (located == Located::as_before) addresses(fragment, warp, access, lanes);
  if (access.space != Space::generic) return access_space(block, warp, fragment, op, access, access.space, lanes, mask);
  // Generic addresses: the lanes may be in different windows.
  while (mask != 0) {
    const Space space = space_of_address(lanes.address[__builtin_ctz(mask)]);
    Mask group = 0;
    Lanes inside = lanes;
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (space_of_address(lanes.address[lane]) != space) continue;
      group |= 1u << lane;
      inside.address[lane] -= window_base(space);
    }
    if (!access_space(block, warp, fragment, op, access, space, inside, group)) return false;
    mask &= ~group;
  }
  return true;
}

}  // namespace cudasim
