// SPDX-License-Identifier: MIT
// Undefined values that stores and atomics leave in memory, and the place and thread of each. Most stores of undefined
// values are those of whole warps. So the checker first takes the lanes together.
#include <algorithm>

#include "checkers/init/value_watch.h"
#include "messages/finding_messages.h"
#include "state/grid.h"

namespace cudasim {

std::uint32_t ValueWatch::number_of_store(const Step& step, Mask lanes, std::uint32_t width, std::uint32_t origin) {
  const auto [position, is_new] = store_numbers_.try_emplace(std::uint64_t{step.op.counter} << 32 | origin, 0);
  if (is_new) {
    Finding f = finding_at(grid_, step, lanes & -lanes, FindingKind::uninitialised);
    describe_use(f, ValueUse::result, checker_.origin(origin));
    f.is_store = true;
    f.access_bytes = width;
    position->second = checker_.add_store(f, origin);
  }
  return position->second;
}

/// Undefined values in global memory: those that `lanes` leave at the address of each.
template <class AddressOf>
void ValueWatch::remember_stores(const Step& step, Mask lanes, AddressOf address_of, std::uint32_t width,
                                 std::uint32_t origin) {
  std::uint64_t addresses[kWarpSize];
  StoredValues::Thread threads[kWarpSize];
  unsigned count = 0;
  for (Mask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    addresses[count] = address_of(lane);
    threads[count++] = {step.block.index, thread_index(grid_, step.warp.index, lane)};
  }
  checker_.stored(number_of_store(step, lanes, width, origin), addresses, threads, count);
}

/// For a store of undefined values alone over undefined shared memory: only the origins change. False for other stores.
bool ValueWatch::stays_undefined(const Step& step, const MemoryAccess& access, const LaneAddresses& at,
                                 const Bytes& together) {
  if (together.written == nullptr || together.source != ValueOrigin::Source::shared || access.count != 1) return false;
  auto& values = *step.warp.values;
  const std::uint32_t frame = step.split.frame, slot = access.data[0].slot;
  const std::uint64_t least = at.least(), length = at.end() - least;
  if (!values.any || (~values.lanes(frame, slot) & at.mask) != 0 || length > kShortBytes) return false;
  if (!written::none(together.written, together.offset, length)) return false;
  StoredOrigins& stored = values_of(step.block).stored;
  const std::uint32_t origin = values.origin(frame, slot);
  for (Mask m = at.mask; m != 0; m &= m - 1)
    stored.put(together.offset + (at.of(static_cast<unsigned>(__builtin_ctz(m))) - least), origin);
  return true;
}

/// For a whole warp that stores undefined values alone, of one origin, side by side from `address` on over whole lines
/// of global memory. `bytes`: those at `address`. False for other stores.
bool ValueWatch::leave_lines_undefined(const Step& step, const MemoryAccess& access, const Bytes& bytes,
                                       std::uint64_t address) {
  const std::uint32_t element_bytes = access.bytes, lane_bytes = element_bytes * access.count;
  const std::uint64_t length = kWarpSize * std::uint64_t{lane_bytes};
  if (((address | length) & (StoredValues::kLineBytes - 1)) != 0) return false;
  auto& values = *step.warp.values;
  const std::uint32_t origin = values.origin(step.split.frame, access.data[0].slot);
  for (unsigned i = 0; i < access.count; ++i) {
    const std::uint32_t slot = access.data[i].slot;
    if (values.lanes(step.split.frame, slot) != ~0u || values.origin(step.split.frame, slot) != origin) return false;
  }
  written::clear(bytes.written, bytes.offset, length);
  checker_.stored_lines(number_of_store(step, ~0u, element_bytes, origin), address,
                        {step.block.index, grid_.launch.block, step.warp.index, lane_bytes, element_bytes});
  return true;
}

void ValueWatch::watch_store(const Step& step, const MemoryAccess& access, const LaneAddresses& at) {
  auto& values = *step.warp.values;
  const Bytes together = bytes_of_all(step, at);
  if (stays_undefined(step, access, at, together)) return;
  const bool side_by_side = together.written != nullptr && at.mask == ~0u &&
                            (at.how == LaneAddresses::How::coalesced || lie_side_by_side(at.span.offset, at.bytes));
  if (side_by_side && values.any && together.source == ValueOrigin::Source::global &&
      leave_lines_undefined(step, access, together, at.least()))
    return;
  // By element: lanes that leave an undefined one in global memory.
  Mask in_global[std::extent_v<decltype(MemoryAccess::data)>] = {};
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = at.of(lane);
    Bytes bytes = together;
    if (together.written != nullptr) {
      bytes.offset += address - at.least();
    } else {
      bytes = bytes_at(step, *at.site, at.space, address, lane, at.bytes);
    }
    if (bytes.written == nullptr) continue;
    if (!values.any) {
      written::set(bytes.written, bytes.offset, at.bytes);
      continue;
    }
    for (unsigned i = 0; i < access.count; ++i) {
      Bytes element = bytes;
      element.offset += i * access.bytes;
      const std::uint32_t slot = access.data[i].slot;
      if (((values.lanes(step.split.frame, slot) >> lane) & 1) == 0) {
        written::set(element.written, element.offset, access.bytes);
        continue;
      }
      written::clear(element.written, element.offset, access.bytes);
      if (element.source == ValueOrigin::Source::global) {
        in_global[i] |= 1u << lane;
      } else {
        const std::uint64_t place = place_of(element, step.warp.index, lane);
        values_of(step.block).stored.put(place, values.origin(step.split.frame, slot));
      }
    }
  }
  for (unsigned i = 0; i < access.count; ++i) {
    if (in_global[i] == 0) continue;
    const auto place = [&](unsigned lane) { return at.of(lane) + i * access.bytes; };
    remember_stores(step, in_global[i], place, access.bytes, values.origin(step.split.frame, access.data[i].slot));
  }
}

/// The result of an atomic operation is undefined when its memory was. The memory is undefined afterwards when the
/// memory or the operand was. Lanes run one after the other, because one may read what another one leaves.
void ValueWatch::watch_atomic(const Step& step, const AtomicAccess& atomic, const LaneAddresses& at) {
  auto& values = *step.warp.values;
  // Up to this number of bytes, one test of all bits is quicker than a test for each lane.
  constexpr std::uint64_t kTestedAtOnce = 4096;
  const std::uint64_t length = at.end() - at.least();
  if (!values.any && at.space != Space::local && length <= kTestedAtOnce) {
    const Bytes bytes = bytes_at(step, *at.site, at.space, at.least(), at.first_lane(), length);
    if (bytes.always || (bytes.written != nullptr && written::all(bytes.written, bytes.offset, length))) return;
  }
  const bool exchanges = atomic.operation == AtomicOperation::exch;
  const bool compares = atomic.operation == AtomicOperation::cas;
  const std::uint32_t stored = compares ? step.op.c : step.op.b;
  const Mask operand = values.any ? values.lanes(step.split.frame, stored) : 0;
  Mask result = 0;
  std::uint32_t result_origin = 0;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = at.address[lane];
    const Bytes bytes = bytes_at(step, *at.site, at.space, address, lane, at.bytes);
    const bool before = bytes.written != nullptr && written::none(bytes.written, bytes.offset, at.bytes);
    const bool given = ((operand >> lane) & 1) != 0;
    if (before) {
      result |= 1u << lane;
      if (result_origin == 0) result_origin = origin_of_bytes(step, bytes, address, lane);
    }
    if (bytes.written == nullptr) continue;
    if ((before && !exchanges) || given) {
      written::clear(bytes.written, bytes.offset, at.bytes);
      const std::uint32_t origin = before ? result_origin : values.origin(step.split.frame, stored);
      if (bytes.source != ValueOrigin::Source::global) {
        values_of(step.block).stored.put(place_of(bytes, step.warp.index, lane), origin);
      } else {
        remember_stores(
            step, 1u << lane, [&](unsigned) { return address; }, at.bytes, origin);
      }
    } else {
      written::set(bytes.written, bytes.offset, at.bytes);
    }
  }
  values.write(step.split.frame, step.op.d, at.mask, result, result_origin);  // or to what nothing reads
}

}  // namespace cudasim
