// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/line_cutter.h"

#include <algorithm>
#include <cstring>

namespace cudasim {
namespace {

/// The lanes in order, twice: any stretch of it gives the lanes of neighbouring granules.
struct Consecutive {
  Lanes lane[2 * kWarpSize] = {};
  constexpr Consecutive() {
    for (unsigned i = 0; i < 2 * kWarpSize; ++i) lane[i].mask = 1u << i % kWarpSize;
  }
};
constexpr Consecutive kConsecutive;

}  // namespace

/// Lane i of `mask` touches the 4 bytes at `address` + 4 * (i - the first lane of `mask`).
void LineCutter::stage_contiguous(const Lines& lines, std::uint64_t address, Mask mask) {
  const auto first_lane = static_cast<unsigned>(__builtin_ctz(mask));
  const std::uint64_t granule = (address - lines.base) / 4;
  const auto offset = static_cast<unsigned>(granule % kGranulesPerLine);
  const unsigned begin = (first_lane - offset) % kWarpSize;  // the lane of the line's first granule
  staged_count_ = 0;
  auto put = [&](std::uint64_t line, std::uint32_t granules) {
    if (granules == 0) return;
    Staged& s = staged_[staged_count_++];
    s.line = line;
    s.granules = granules;
    s.pattern = static_cast<std::uint8_t>(begin);
    std::memcpy(s.lane.data(), kConsecutive.lane + begin, sizeof s.lane);
  };
  const Mask run = mask >> first_lane;
  put(granule / kGranulesPerLine, run << offset);
  if (offset != 0) put(granule / kGranulesPerLine + 1, run >> (kGranulesPerLine - offset));
}

Staged& LineCutter::staged_line(std::uint64_t line) {
  for (std::size_t i = staged_count_; i > 0; --i) {
    if (staged_[i - 1].line == line) return staged_[i - 1];
  }
  Staged& fresh = staged_[staged_count_++];
  fresh.line = line;
  fresh.granules = 0;
  fresh.pattern = Segment::kSinglePattern;
  fresh.lane.fill({});
  return fresh;
}

/// Several lanes of this instruction touch the same granules. For a store of several values, only one of them remains.
void LineCutter::collide(std::uint64_t block, const RaceAccess& access, Staged& staged, std::uint32_t granules,
                         unsigned lane, std::uint64_t address, std::vector<Conflict>& conflicts) {
  const unsigned first = staged.lane[static_cast<std::size_t>(__builtin_ctz(granules))].first();
  staged.pattern = Segment::kAnyPattern;
  for (std::uint32_t m = granules; m != 0; m &= m - 1)
    staged.lane[static_cast<std::size_t>(__builtin_ctz(m))].mask |= 1u << lane;
  if (!access.kind.store || access.kind.atomic || access.is_one_value) return;
  Conflict conflict;
  conflict.same_instruction = true;
  conflict.earlier.instruction = access.instruction;
  conflict.earlier.block = block;
  conflict.earlier.warp = static_cast<std::uint16_t>(access.warp);
  conflict.earlier.kind = access.kind;
  conflict.earlier_lane = first;
  conflict.lane = lane;
  conflict.address = conflict.access_address = address;
  conflict.bytes = access.bytes;
  conflicts.push_back(conflict);
}

/// Cuts the lanes that touch `lines` into segments; returns the lanes that touch other memory.
Mask LineCutter::stage(std::uint64_t block, const RaceAccess& access, const Lines& lines, Mask mask,
                       const Allocation* allocation, std::vector<Conflict>& conflicts) {
  staged_count_ = 0;
  const unsigned count = std::max(access.bytes >> granule_shift_, 1u);
  Mask left = 0;
  Staged* staged = nullptr;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = access.address_of(lane);
    if (allocation != nullptr && !allocation->contains(address)) {
      left |= 1u << lane;
      continue;
    }
    std::uint64_t granule = (address - lines.base) >> granule_shift_;
    // A vector of 32 bytes in small granules may take a whole line.
    for (unsigned done = 0; done < count;) {
      const auto at = static_cast<unsigned>(granule % kGranulesPerLine);
      const unsigned here = std::min(count - done, kGranulesPerLine - at);
      const std::uint32_t bits = (here == 32 ? ~0u : (1u << here) - 1) << at;
      const std::uint64_t line = granule / kGranulesPerLine;
      if (staged == nullptr || staged->line != line) staged = &staged_line(line);
      const std::uint32_t again = staged->granules & bits;
      for (std::uint32_t n = bits & ~again; n != 0; n &= n - 1)
        staged->lane[static_cast<std::size_t>(__builtin_ctz(n))] = {1u << lane};
      staged->granules |= bits;
      if (again != 0) collide(block, access, *staged, again, lane, address, conflicts);
      granule += here;
      done += here;
    }
  }
  for (std::size_t i = 0; i < staged_count_; ++i) {
    if (staged_[i].pattern == Segment::kSinglePattern) find_pattern(staged_[i]);
  }
  return left;
}

/// A line that needs no map of its lanes is cheaper to keep and to compare.
void LineCutter::find_pattern(Staged& staged) {
  const auto first = static_cast<unsigned>(__builtin_ctz(staged.granules));
  for (unsigned shift = 0; shift <= 5; ++shift) {
    const std::uint8_t pattern = Segment::pattern_for(staged.lane[first].first(), first, shift);
    std::uint32_t left = staged.granules;
    while (left != 0) {
      const auto g = static_cast<unsigned>(__builtin_ctz(left));
      if (Segment::lane_of(pattern, g) != staged.lane[g].first()) break;
      left &= left - 1;
    }
    if (left != 0) continue;
    staged.pattern = pattern;
    return;
  }
}

LineCutter::Cut& LineCutter::cut_of(const RaceAccess& access, std::uint64_t granule) {
  return cuts_[(2 * access.instruction + access.kind.store + 64 * (granule % kGranulesPerLine)) % cuts_.size()];
}

bool LineCutter::stage_as_before(const RaceAccess& access, const Lines& lines, Mask mask) {
  const std::uint64_t granule = (access.span->least - lines.base) >> granule_shift_;
  Cut& cut = cut_of(access, granule);
  if (cut.launch != launch_ || cut.instruction != access.instruction || cut.mask != mask || cut.bytes != access.bytes ||
      cut.phase != granule % kGranulesPerLine || (cut.is_one_value && !access.is_one_value) ||
      std::memcmp(cut.offset.data(), access.span->offset, sizeof access.span->offset) != 0)
    return false;
  cut.misses = 0;
  staged_count_ = cut.staged.size();
  for (std::size_t i = 0; i < staged_count_; ++i) {
    staged_[i] = cut.staged[i];
    staged_[i].line += granule / kGranulesPerLine;
  }
  return true;
}

void LineCutter::remember_cut(const RaceAccess& access, const Lines& lines, Mask mask) {
  const std::uint64_t granule = (access.span->least - lines.base) >> granule_shift_;
  Cut& cut = cut_of(access, granule);
  const bool again = cut.launch == launch_ && cut.instruction == access.instruction;
  // Lanes with irregular addresses never repeat their distances: then the result is stored only now and then.
  if (again && ++cut.misses > 8 && cut.misses % 64 != 0) return;
  if (!again) cut.misses = 0;
  const auto end = staged_.begin() + static_cast<std::ptrdiff_t>(staged_count_);
  cut.launch = launch_;
  cut.instruction = access.instruction;
  cut.bytes = access.bytes;
  cut.phase = static_cast<std::uint32_t>(granule % kGranulesPerLine);
  cut.mask = mask;
  cut.is_one_value = access.is_one_value && std::any_of(staged_.begin(), end, [](const Staged& staged) {
                       return staged.pattern == Segment::kAnyPattern;
                     });
  std::memcpy(cut.offset.data(), access.span->offset, sizeof access.span->offset);
  cut.staged.assign(staged_.begin(), end);
  for (Staged& staged : cut.staged) staged.line -= granule / kGranulesPerLine;
}

Mask LineCutter::cut(std::uint64_t block, const RaceAccess& access, const Lines& lines, Mask mask,
                     const Allocation* allocation, bool whole, std::vector<Conflict>& conflicts) {
  if (access.span == nullptr && access.address == nullptr && granule_shift_ == 2) {
    const auto last = 31 - static_cast<unsigned>(__builtin_clz(mask));
    if (allocation == nullptr || allocation->contains(access.address_of(last))) {
      stage_contiguous(lines, access.address_of(static_cast<unsigned>(__builtin_ctz(mask))), mask);
      return 0;
    }
  }
  if (whole && stage_as_before(access, lines, mask)) return 0;
  const std::size_t before = conflicts.size();
  const Mask left = stage(block, access, lines, mask, allocation, conflicts);
  if (whole && before == conflicts.size()) remember_cut(access, lines, mask);
  return left;
}

}  // namespace cudasim
