// SPDX-License-Identifier: MIT
// Undefined bytes of memory: what loads find. watch_stores.cpp has what stores leave. Nearly every access touches
// written bytes, and nearly every store has defined values. So the checker first takes the lanes together, and compares
// one stretch of bits.
#include <algorithm>
#include <cstring>

#include "checkers/init/value_watch.h"
#include "messages/finding_messages.h"
#include "state/async_copies.h"
#include "state/grid.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

/// Whether aligned elements of up to 32 bytes are written. Each element has all its bits in one word. `stride`: from
/// lane to lane, beside `offset`.
bool lanes_are_written(const std::uint64_t* bits, std::uint64_t begin, const std::uint32_t* offset, std::uint32_t bytes,
                       Mask mask, std::uint64_t stride = 0) {
  std::uint64_t missing = 0;
  const auto look_at = [&](unsigned lane) {
    const std::uint64_t bit = begin + offset[lane] + lane * stride;
    missing |= ~written::load(bits + bit / 64) >> (bit % 64);
  };
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) look_at(lane);
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) look_at(static_cast<unsigned>(__builtin_ctz(m)));
  }
  return (missing & ((std::uint64_t{1} << bytes) - 1)) == 0;
}

/// Loops mostly advance in equal steps, so this prefetches the bits of the next step. The site still holds the place of
/// the last access.
void look_ahead(const AccessSite& site, const std::uint64_t* bits, std::uint64_t offset) {
  const std::uint64_t next = 2 * offset - static_cast<std::uint64_t>(site.place - site.allocation->host);
  if (next < site.allocation->size_bytes) __builtin_prefetch(bits + next / 64, 1);
}

}  // namespace

std::uint64_t ValueWatch::place_of(const Bytes& bytes, std::uint32_t warp, unsigned lane) {
  constexpr std::uint64_t kLocal = std::uint64_t{1} << 62;
  if (bytes.source == ValueOrigin::Source::shared) return bytes.offset;
  return kLocal | std::uint64_t{warp * kWarpSize + lane} << 32 | bytes.offset;
}

/// The bits of `count` bytes as one lane has them. An access out of bounds has none: it is a fault.
ValueWatch::Bytes ValueWatch::bytes_at(const Step& step, AccessSite& site, Space space, std::uint64_t address,
                                       unsigned lane, std::uint64_t count) const {
  Bytes bytes;
  switch (space) {
    case Space::shared:
      if (address >= grid_.shared_bytes || count > grid_.shared_bytes - address) return bytes;
      bytes.written = values_of(step.block).shared.data();
      bytes.offset = address;
      bytes.source = ValueOrigin::Source::shared;
      return bytes;
    case Space::local:
      if (address >= local_bytes_ || count > local_bytes_ - address) return bytes;
      bytes.written = step.warp.values->local_of(lane);
      bytes.offset = address;
      bytes.source = ValueOrigin::Source::local;
      return bytes;
    case Space::param:
    case Space::constant:
    case Space::reg:
      return bytes;
    case Space::generic:
    case Space::global:
      break;
  }
  const Allocation* allocation = site.allocation_at(grid_.memory, address);
  if (allocation == nullptr || allocation->host == nullptr) return bytes;
  bytes.offset = address - allocation->address;
  if (count > allocation->size_bytes - bytes.offset) return bytes;
  bytes.written = allocation->written.get();
  bytes.always = bytes.written == nullptr;
  return bytes;
}

/// The bits from the first byte of the lanes on, where all lanes lie in one allocation, near each other. Else nothing.
ValueWatch::Bytes ValueWatch::bytes_of_all(const Step& step, const LaneAddresses& at) const {
  const bool coalesced = at.how == LaneAddresses::How::coalesced;
  if (at.space == Space::local || !(coalesced || at.near())) return {};
  return bytes_at(step, *at.site, at.space, at.least(), at.first_lane(), at.end() - at.least());
}

/// True when no lane needs a check of its own: all bytes that the lanes touch are written, or are now.
bool ValueWatch::watch_at_once(const Step& step, const MemoryAccess& access, const LaneAddresses& at) const {
  const bool is_local = at.space == Space::local;
  const bool coalesced = at.how == LaneAddresses::How::coalesced;
  if (!coalesced && (!at.near() || !at.aligned())) return false;
  const std::uint64_t length = at.end() - at.least();
  const Bytes bytes = bytes_at(step, *at.site, at.space, at.least(), is_local ? 0 : at.first_lane(), length);
  if (bytes.written == nullptr) return bytes.always;
  if (coalesced && at.space == Space::global) look_ahead(*at.site, bytes.written, bytes.offset);
  if (!is_local && length <= kShortBytes && written::all(bytes.written, bytes.offset, length)) return true;
  if (!access.is_store && !is_local && length <= kShortBytes && written::none(bytes.written, bytes.offset, length))
    return false;
  if (coalesced) {
    const Mask run = at.mask >> at.first_lane();
    if (!access.is_store || (run & (run + 1)) != 0) return false;
    written::set(bytes.written, bytes.offset, length);
    return true;
  }
  const std::uint64_t stride = is_local ? step.warp.values->words_per_lane * 64 : 0;
  const bool missing = !lanes_are_written(bytes.written, bytes.offset, at.span.offset, at.bytes, at.mask, stride);
  if (missing && access.is_store) {
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      written::set(bytes.written, bytes.offset + at.span.offset[lane] + lane * stride, at.bytes);
    }
  }
  return !missing || access.is_store;
}

bool ValueWatch::before_again(const Step& step, const MemoryAccess& access, AccessSite& site, std::uint32_t begin) {
  std::uint64_t* const bits = values_of(step.block).shared.data();
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.count;
  const std::uint64_t length = site.most - site.least + bytes;
  if (step.warp.values->any) {
    const std::uint64_t lane_0 = begin + site.offset[0];
    const Bytes there{bits, false, lane_0, ValueOrigin::Source::shared};
    return !access.is_store && load_alike(step, access, there, lane_0, begin, length);
  }
  if (length <= kShortBytes && written::all(bits, begin, length)) return true;
  if (access.is_store && length == kWarpSize * bytes && lie_side_by_side(site.offset, bytes)) {
    written::set(bits, begin, length);
    return true;
  }
  return lanes_are_written(bits, begin, site.offset, bytes, ~0u);
}

/// Loads of a whole warp that holds undefined values, from `length` bytes. `bytes`: those of lane 0, which begin at
/// `address`. False where the lanes differ.
bool ValueWatch::load_alike(const Step& step, const MemoryAccess& access, Bytes bytes, std::uint64_t address,
                            std::uint64_t begin, std::uint64_t length) {
  if (length > kShortBytes) return false;
  const bool defined = written::all(bytes.written, begin, length);
  if (!defined && !written::none(bytes.written, begin, length)) return false;
  for (unsigned i = 0; i < access.count; ++i, bytes.offset += access.bytes, address += access.bytes) {
    const std::uint32_t origin = defined || access.data[i].sink ? 0 : origin_of_bytes(step, bytes, address, 0);
    step.warp.values->write(step.split.frame, access.data[i].slot, ~0u, defined ? 0 : ~0u, origin);
  }
  return true;
}

bool ValueWatch::before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite& site,
                                  const CoalescedAccess& now) {
  auto& values = *step.warp.values;
  std::uint64_t* const bits = now.allocation->written.get();
  if (bits == nullptr) return !values.any;
  const std::uint64_t offset = now.address - now.allocation->address;
  look_ahead(site, bits, offset);
  if (values.any) {
    if (values.lanes(step.split.frame, access.base) != 0) return false;
    const Bytes bytes{bits, false, offset, ValueOrigin::Source::global};
    if (!access.is_store) return load_alike(step, access, bytes, now.address, offset, now.bytes);
    const Mask undefined = values.lanes(step.split.frame, access.data[0].slot);
    if (undefined != 0) return undefined == ~0u && leave_lines_undefined(step, access, bytes, now.address);
  }
  if (written::all(bits, offset, now.bytes)) return true;
  if (access.is_store) written::set(bits, offset, now.bytes);
  return access.is_store;
}

void ValueWatch::before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                        const LaneAddresses& at) {
  if (atomic != nullptr) return watch_atomic(step, *atomic, at);
  auto& values = *step.warp.values;
  const std::uint32_t frame = step.split.frame;
  bool stores_undefined = false;
  if (values.any) {
    for (unsigned i = 0; i < access.count && access.is_store; ++i)
      stores_undefined |= (values.lanes(frame, access.data[i].slot) & at.mask) != 0;
  }
  const bool settled =
      at.space == Space::param || at.space == Space::constant || (!stores_undefined && watch_at_once(step, access, at));
  if (settled) {
    for (unsigned i = 0; i < access.count && values.any && !access.is_store; ++i)
      values.write(frame, access.data[i].slot, at.mask, 0, 0);
    return;
  }
  if (access.is_store) {
    watch_store(step, access, at);
  } else {
    watch_load(step, access, at);
  }
}

void ValueWatch::watch_load(const Step& step, const MemoryAccess& access, const LaneAddresses& at) {
  Mask undefined[kMostElements] = {};
  std::uint32_t origin[kMostElements] = {};
  if (!find_undefined_at_once(step, access, at, undefined, origin))
    find_undefined_by_lane(step, access, at, undefined, origin);
  for (unsigned i = 0; i < access.count; ++i) {
    if (undefined[i] != 0 || step.warp.values->any)
      step.warp.values->write(step.split.frame, access.data[i].slot, at.mask, undefined[i], origin[i]);
  }
}

/// For aligned elements near each other: all bits of a lane lie in one word. False where the lanes must be taken alone.
bool ValueWatch::find_undefined_at_once(const Step& step, const MemoryAccess& access, const LaneAddresses& at,
                                        Mask* undefined, std::uint32_t* origin) {
  const Bytes bytes = bytes_of_all(step, at);
  if (bytes.written == nullptr || !at.aligned()) return false;
  const std::uint64_t least = at.least(), length = at.end() - least;
  if (length <= kShortBytes && written::none(bytes.written, bytes.offset, length)) {
    std::fill_n(undefined, access.count, at.mask);
  } else {
    const std::uint64_t element = (std::uint64_t{1} << access.bytes) - 1;
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint64_t bit = bytes.offset + (at.of(lane) - least);
      std::uint64_t bits = written::load(bytes.written + bit / 64) >> (bit % 64);
      for (unsigned i = 0; i < access.count; ++i, bits >>= access.bytes)
        undefined[i] |= Mask{(bits & element) == 0} << lane;
    }
  }
  for (unsigned i = 0; i < access.count; ++i) {
    if (access.data[i].sink) undefined[i] = 0;
    if (undefined[i] == 0) continue;
    const auto lane = static_cast<unsigned>(__builtin_ctz(undefined[i]));
    const std::uint64_t address = at.of(lane) + i * access.bytes;
    Bytes first = bytes;
    first.offset += address - least;
    origin[i] = origin_of_bytes(step, first, address, lane);
  }
  return true;
}

void ValueWatch::find_undefined_by_lane(const Step& step, const MemoryAccess& access, const LaneAddresses& at,
                                        Mask* undefined, std::uint32_t* origin) {
  std::uint64_t previous = 0;
  bool previous_defined = false;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = at.of(lane);
    if (previous_defined && address == previous) continue;
    const Bytes bytes = bytes_at(step, *at.site, at.space, address, lane, at.bytes);
    const bool defined = bytes.written == nullptr || written::all(bytes.written, bytes.offset, at.bytes);
    previous = address;
    previous_defined = defined && at.space != Space::local;
    if (defined) continue;
    for (unsigned i = 0; i < access.count; ++i) {
      Bytes element = bytes;
      element.offset += i * access.bytes;
      if (access.data[i].sink || !written::none(element.written, element.offset, access.bytes)) continue;
      undefined[i] |= 1u << lane;
      if (origin[i] == 0) origin[i] = origin_of_bytes(step, element, address + i * access.bytes, lane);
    }
  }
}

/// Undefined bytes that a store leaves keep their origin. In global memory this holds only for those that this kernel
/// stored.
std::uint32_t ValueWatch::origin_of_bytes(const Step& step, const Bytes& bytes, std::uint64_t address, unsigned lane) {
  if (bytes.source == ValueOrigin::Source::global) {
    const auto stored = checker_.origin_of_stored(address, program_.info.name);
    return stored.by_this_kernel ? stored.number : origin_of(step, lane, bytes.source, address, stored.number);
  }
  const std::uint32_t known = values_of(step.block).stored.at(place_of(bytes, step.warp.index, lane));
  return known != 0 ? known : origin_of(step, lane, bytes.source, address);
}

/// Local memory of a function begins undefined. The arguments keep the state that the caller gave them.
void ValueWatch::enter(Warp& warp, const WarpSplit& split, const Call& call, const DecodedFunction& callee,
                       std::uint32_t frame, std::uint32_t local) const {
  auto& values = *warp.values;
  for (Mask m = split.mask; m != 0; m &= m - 1) {
    std::uint64_t* bits = values.local_of(static_cast<unsigned>(__builtin_ctz(m)));
    written::clear(bits, local, callee.local_bytes);
    for (std::size_t i = 0; i < call.argument_offsets.size() && i < callee.parameter_offsets.size(); ++i) {
      written::copy(bits, local + callee.parameter_offsets[i], bits, split.local + call.argument_offsets[i],
                    call.argument_bytes[i]);
    }
  }
  if (!values.any) return;
  const std::size_t begin = WarpValues::index(frame, 0), end = WarpValues::index(frame, callee.frame_bytes);
  for (std::size_t slot = begin; slot < end; ++slot) values.undefined[slot] &= ~split.mask;
}

void ValueWatch::leave(Warp& warp, const WarpSplit& split, const Activation& activation) const {
  const auto& call = program_.calls[activation.call];
  const auto& callee = program_.functions[activation.function];
  for (Mask m = split.mask; m != 0; m &= m - 1) {
    std::uint64_t* bits = warp.values->local_of(static_cast<unsigned>(__builtin_ctz(m)));
    for (std::size_t i = 0; i < call.return_offsets.size() && i < callee.return_offsets.size(); ++i) {
      written::copy(bits, activation.caller_local + call.return_offsets[i], bits,
                    split.local + callee.return_offsets[i], call.return_bytes[i]);
    }
  }
}

void ValueWatch::printed(const Step& step, std::uint64_t address, unsigned lane, std::uint64_t count) {
  const bool local = window_of(address) == kLocalWindow;
  const std::uint64_t at = local ? address - kLocalWindow : address;
  AccessSite anywhere;
  const Bytes bytes = bytes_at(step, anywhere, local ? Space::local : Space::global, at, lane, count);
  if (bytes.written == nullptr || !written::none(bytes.written, bytes.offset, count)) return;
  report_use(step, 1u << lane, ValueUse::result, origin_of_bytes(step, bytes, at, lane));
  written::set(bytes.written, bytes.offset, count);
}

}  // namespace cudasim
