// SPDX-License-Identifier: MIT
// Whether blocks of several workers may have communicated. A checker may drop an access when another one stands for it
// here: a read for reads, a write for writes.
#include <algorithm>
#include <unordered_map>

#include "checkers/race/shadow/race_checker.h"

namespace cudasim {
namespace {

/// Granules of a line.
struct Marks {
  std::uint32_t read = 0, written = 0;
  std::uint32_t updated = 0;  ///< by atomics of the whole device
  void add(const AccessKind& kind, std::uint32_t granules) {
    (!kind.store ? read : is_device_atomic(kind) ? updated : written) |= granules;
  }
  void add(const Marks& other) {
    read |= other.read;
    written |= other.written;
    updated |= other.updated;
  }
  bool meets(const Marks& other) const {
    return (written & (other.read | other.written | other.updated)) != 0 ||
           (updated & (other.read | other.written)) != 0 || (read & (other.written | other.updated)) != 0;
  }
};

Marks marks_of(const SegmentPool& pool, const Lines::Head& head) {
  Marks marks;
  const auto add_list = [&](std::uint32_t first) {
    for (std::uint32_t i = first; i != kEndOfList; i = pool.segments[i].next)
      marks.add(pool.segments[i].kind, pool.segments[i].granules);
  };
  if (!head.is_scattered()) {
    add_list(head.first);
    return marks;
  }
  const auto& lists = pool.lists[head.first & ~Lines::Head::kScattered];
  for (unsigned g = 0; g < kGranulesPerLine; ++g) {
    if (lists[g] == kEndOfList || (lists[g] & Direct::kBit) == 0) {
      add_list(lists[g]);
    } else {
      marks.add(pool.segments[Direct(lists[g]).segment()].kind, 1u << g);
    }
  }
  return marks;
}

}  // namespace

bool RaceChecker::meet(const std::vector<const RaceChecker*>& checkers) {
  struct Part {
    const Lines* lines;
    const SegmentPool* pool;
  };
  std::unordered_map<std::uint64_t, std::vector<Part>> by_allocation;
  for (const RaceChecker* checker : checkers) {
    for (const auto& [id, lines] : checker->global_) {
      if (lines.generation == checker->generation_) by_allocation[id].push_back({&lines, &checker->pool_});
    }
  }
  for (const auto& [id, parts] : by_allocation) {
    std::uint64_t begin = ~0ull, end = 0;
    for (const Part& part : parts) {
      begin = std::min(begin, part.lines->written_begin);
      end = std::max(end, part.lines->written_end);
    }
    if (parts.size() == 1) continue;
    for (std::uint64_t line = begin; line < end; ++line) {
      const Part* alone = nullptr;  // the only checker so far that has seen the line: mostly it remains the only one
      Marks before;
      for (const Part& part : parts) {
        // Another checker may have a longer table, from a launch with smaller granules.
        if (line >= part.lines->count) continue;
        const Lines::Head& head = part.lines->heads[line];
        if (head.generation != part.lines->generation) continue;
        if (alone == nullptr) {
          alone = &part;
          continue;
        }
        if (before.read == 0 && before.written == 0 && before.updated == 0)
          before = marks_of(*alone->pool, alone->lines->heads[line]);
        const Marks now = marks_of(*part.pool, head);
        if (now.meets(before)) return true;
        before.add(now);
      }
    }
  }
  return false;
}

}  // namespace cudasim
