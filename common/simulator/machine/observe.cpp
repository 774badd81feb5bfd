// SPDX-License-Identifier: MIT
// What the machine tells the checkers, and the words for what they find.
#include <algorithm>
#include <cstdio>
#include <cstring>

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

std::string hexadecimal(const std::byte* bytes, std::uint32_t count) {
  std::string text = "0x";
  char digits[3];
  for (std::uint32_t i = count; i-- > 0;) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bytes[i]));
    text += digits;
  }
  return text;
}

unsigned width_of(const std::string& scope) { return scope == "grid" ? 2 : scope == "block" ? 1 : 0; }

struct Words {
  const char* message;
  const char* advice;
};

Words words_of(const std::string& scope, const AccessKind& now, const Conflict& conflict) {
  const AccessKind& then = conflict.earlier.kind;
  if (conflict.same_instruction) {
    return {"two threads of one warp write different values to the same element with one instruction",
            "give each thread an element of its own, or combine the values with an atomic operation"};
  }
  if (scope == "warp") {
    return {"two threads of one warp, and no __syncwarp() between",
            "threads of a warp need not run in step: put __syncwarp() between the two lines (or __syncthreads(), where "
            "the whole block takes part)"};
  }
  if (scope == "block") {
    if (now.atomic != then.atomic) {
      return {"an atomic and a plain access by two warps of one block, and no barrier between",
              "put __syncthreads() between the two lines, or make both accesses atomic"};
    }
    return {"two warps of one block, and no barrier between",
            "put __syncthreads() between the two lines, where all threads of the block reach it"};
  }
  if (now.atomic && then.atomic) {
    return {"two blocks, and an atomic that is one only for the threads of its own block",
            "use the atomic without _block, or with the scope of the device (cuda::thread_scope_device)"};
  }
  if (now.atomic != then.atomic) {
    return {"an atomic and a plain access by two blocks, and nothing orders the blocks",
            "set the value before the launch (cudaMemset) or in a kernel of its own, read it after the kernel, or make "
            "both accesses atomic"};
  }
  if (now.store && then.store) {
    return {"two blocks write different values to the same element, and nothing orders the blocks",
            "give each block an element of its own, or combine the values with an atomic operation"};
  }
  return {"one block reads what another block writes, and nothing orders the blocks",
          "blocks run in any order: write to another array, put the second step in a kernel of its own, or publish the "
          "data with __threadfence() and an atomic flag"};
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

void Interpreter::observe_access(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                                 const MemoryAccess& access, bool atomic, Mask mask) {
  RaceChecker::Access seen;
  seen.warp = warp.index;
  seen.instruction = op.counter;
  seen.bytes = std::uint32_t{access.bytes} * access.count;
  seen.kind.store = access.is_store;
  seen.kind.atomic = atomic;
  seen.kind.strong = is_strong(access.ordering);
  seen.kind.is_volatile = access.ordering == Ordering::is_volatile;
  seen.kind.of_block = access.of_block;
  seen.ordering = access.ordering;
  Space space = access.space;
  if (touches_neighbours(warp, fragment, access, mask, seen.first)) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
    if (space == Space::generic) {
      space = space_of_address(seen.address_of(lane));
      seen.first -= window_base(space);
    }
    return observe_space(block, warp, fragment, op, access, space, seen, mask);
  }
  Lanes lanes;
  addresses(fragment, warp, access, lanes);
  seen.address = lanes.address;
  if (space != Space::generic) return observe_space(block, warp, fragment, op, access, space, seen, mask);
  while (mask != 0) {
    space = space_of_address(lanes.address[__builtin_ctz(mask)]);
    Mask group = 0;
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (space_of_address(lanes.address[lane]) != space) continue;
      group |= 1u << lane;
      lanes.address[lane] -= window_base(space);
    }
    observe_space(block, warp, fragment, op, access, space, seen, group);
    mask &= ~group;
  }
}

void Interpreter::observe_space(Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                                const MemoryAccess& access, Space space, RaceChecker::Access& seen, Mask mask) {
  if (space != Space::shared && space != Space::global) return;
  seen.is_shared = space == Space::shared;
  Span span;
  if (seen.address != nullptr) {
    kernels_.span(seen.address, mask, span);
    seen.span = &span;
  }
  for (const auto& conflict : races_->look_at(*block.races, seen, mask, grid_.memory))
    report_race(block, warp, fragment, op, access, seen.kind, seen.is_shared, conflict);
}

void Interpreter::observe_barrier(Block& block, std::uint32_t barrier, std::uint32_t warps) {
  std::uint32_t running = 0;
  for (const auto& warp : block.warps) running |= static_cast<std::uint32_t>(warp.live != 0) << warp.index;
  // A barrier for a number of threads waits for those that come, not for warps that have left.
  const bool counted = block.barriers[barrier].expected != 0;
  const bool all =
      counted ? static_cast<std::size_t>(__builtin_popcount(warps)) == block.warps.size() : (running & ~warps) == 0;
  races_->order().open(block.races->clocks, barrier, warps, all);
}

/// What two plain stores to one place store: the first into memory by now, but of one instruction both are still in
/// their registers. False when the place is gone.
bool Interpreter::stored_values(const Block& block, const Warp& warp, const Fragment& fragment,
                                const MemoryAccess& access, const Conflict& conflict, bool is_shared,
                                StoredValues& values) const {
  const std::byte* frame = warp.frames + fragment.frame;
  auto operand = [&](unsigned lane, std::byte* to) {
    for (unsigned i = 0; i < access.count; ++i)
      std::memcpy(to + i * access.bytes, frame + access.data[i].slot + (access.data[i].wide ? 8 : 4) * lane,
                  access.bytes);
  };
  values.bytes = std::uint32_t{access.bytes} * access.count;
  operand(conflict.lane, values.after);
  if (conflict.same_instruction) {
    operand(conflict.earlier_lane, values.before);
    return true;
  }
  const std::uint64_t address = conflict.access_address;
  const std::byte* memory = !is_shared                               ? grid_.memory.resolve(address, values.bytes)
                            : grid_.is_shared(address, values.bytes) ? block.shared + address
                                                                     : nullptr;
  if (memory != nullptr) std::memcpy(values.before, memory, values.bytes);
  return memory != nullptr;
}

void Interpreter::report_race(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                              const MemoryAccess& access, const AccessKind& kind, bool is_shared,
                              const Conflict& conflict) {
  const Segment& earlier = conflict.earlier;
  const bool plain_stores = kind.store && !kind.atomic && earlier.kind.store && !earlier.kind.atomic;
  StoredValues values;
  const bool compared = plain_stores && stored_values(block, warp, fragment, access, conflict, is_shared, values);
  if (compared && std::memcmp(values.before, values.after, values.bytes) == 0) return;
  const auto first = std::min(op.counter, earlier.instruction), second = std::max(op.counter, earlier.instruction);
  const std::string scope = earlier.block != block.linear ? "grid" : earlier.warp != warp.index ? "block" : "warp";
  const std::uint64_t key = (std::uint64_t{first} << 32 | second) * 3 + width_of(scope);
  const auto known = races_by_pair_.find(key);
  if (known != races_by_pair_.end()) {
    ++grid_.findings[known->second].second.occurrences;
    return;
  }
  Finding g = finding(block, warp, op, 1u << conflict.lane, FindingKind::race);
  if (compared) {
    g.value_before = hexadecimal(values.before, values.bytes);
    g.value_after = hexadecimal(values.after, values.bytes);
  }
  g.severity = Severity::defect;
  g.scope = scope;
  g.hazard = !kind.store ? "read-after-write" : earlier.kind.store ? "write-after-write" : "write-after-read";
  OtherAccess other;
  const auto& dim = grid_.launch.block;
  const auto& grid = grid_.launch.grid;
  const std::uint32_t thread = earlier.warp * warp_size + conflict.earlier_lane;
  other.where = program_.source_line(earlier.instruction);
  other.ptx_line = program_.origins[earlier.instruction].ptx_line;
  other.block = {static_cast<std::uint32_t>(earlier.block % grid.x),
                 static_cast<std::uint32_t>(earlier.block / grid.x % grid.y),
                 static_cast<std::uint32_t>(earlier.block / grid.x / grid.y)};
  other.thread = {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y};
  other.is_store = earlier.kind.store;
  other.is_atomic = earlier.kind.atomic;
  // The same two lines again, by other instructions or in a wider scope: one finding, of the widest.
  std::size_t index = grid_.findings.size();
  std::uint64_t occurrences = 1;
  for (std::size_t i = 0; i < grid_.findings.size(); ++i) {
    auto& old = grid_.findings[i].second;
    if (old.kind != FindingKind::race || !old.other || old.where.line == 0) continue;
    auto same = [](const SourceLine& a, const SourceLine& b) { return a.line == b.line && a.file == b.file; };
    const bool straight = same(old.where, g.where) && same(old.other->where, other.where);
    const bool crossed = same(old.where, other.where) && same(old.other->where, g.where);
    if (!straight && !crossed) continue;
    races_by_pair_[key] = i;
    if (width_of(scope) <= width_of(old.scope)) {
      ++old.occurrences;
      return;
    }
    index = i;
    occurrences += old.occurrences;
    break;
  }
  g.occurrences = occurrences;
  const Words words = words_of(scope, kind, conflict);
  g.message = std::string("a race in ") + (is_shared ? "shared" : "global") + " memory: " + words.message;
  g.advice = words.advice;
  g.address = conflict.address;
  g.access_bytes = conflict.bytes;
  g.is_store = kind.store;
  g.is_atomic = kind.atomic;
  g.cuda_error = 0;
  if (is_shared) {
    describe_shared(g, conflict.address);
  } else {
    describe_global(g, conflict.address, conflict.bytes);
  }
  g.other = std::move(other);
  races_by_pair_[key] = index;
  if (index == grid_.findings.size()) {
    grid_.findings.emplace_back(block.linear, std::move(g));
  } else {
    grid_.findings[index].second = std::move(g);
  }
}

}  // namespace cudasim
