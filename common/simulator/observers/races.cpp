// SPDX-License-Identifier: MIT
// Segments of lines: how an instruction is cut into them, which are compared, and which need not be kept.
#include "observers/races.h"

#include <algorithm>
#include <cstring>

#include "module/program.h"

namespace cudasim {
namespace {

constexpr std::uint32_t end_of_list = ~0u;
constexpr std::uint8_t several = 0x80;  // in Segment::lane: more lanes than this one
constexpr std::uint32_t granules_per_line = 32;

/// Lanes in order, twice over: a stretch of it are the lanes of neighbouring granules.
struct Consecutive {
  std::uint8_t lane[2 * warp_size] = {};
  constexpr Consecutive() {
    for (unsigned i = 0; i < 2 * warp_size; ++i) lane[i] = static_cast<std::uint8_t>(i % warp_size);
  }
};
constexpr Consecutive consecutive;

/// The pattern of a segment of one granule, where `pattern` is that of the whole line.
std::uint8_t pattern_of(std::uint8_t lane, std::size_t granule, std::uint8_t pattern) {
  if (pattern != Segment::any_pattern || (lane & several) != 0) return pattern;
  return static_cast<std::uint8_t>((lane + warp_size - granule) % warp_size);
}

bool any_several(const LaneMap& map) {
  std::uint64_t words[4], all = 0;
  std::memcpy(words, map.data(), sizeof words);
  for (const auto word : words) all |= word;
  return (all & 0x8080808080808080ull) != 0;
}

bool at_least_volatile(const AccessKind& kind) { return kind.atomic || kind.strong || kind.is_volatile; }

/// A write that other threads may rely on: atomic, or ordered by the program itself.
bool sound_write(const AccessKind& kind) { return kind.atomic || kind.strong || kind.fenced; }

/// Whether two accesses that nothing orders are a race. Atomics and strong accesses are there to be concurrent.
/// `volatile` is what old code takes for both: between blocks it is accepted between a reader and a writer, in shared
/// memory only of a writer that has fenced; it never makes two writers atomic.
bool is_race(const AccessKind& a, const AccessKind& b, bool is_shared, bool same_block) {
  if (!a.store && !b.store) return false;
  if (!same_block && (a.of_block || b.of_block)) return true;
  if (!at_least_volatile(a) || !at_least_volatile(b)) return true;
  if (a.store && b.store) return !sound_write(a) || !sound_write(b);
  return is_shared && !sound_write(a.store ? a : b);
}

/// Whether all that would race with `then` would race with `now` as well. Plain accesses race with the most.
bool stands_for(const AccessKind& now, const AccessKind& then) {
  if (!at_least_volatile(now)) return true;
  return at_least_volatile(then) && (now.of_block || !then.of_block);
}

}  // namespace

void RaceChecker::begin_launch(const Program& program, const Memory& memory) {
  bool fences = false;
  std::uint32_t smallest = 4;
  auto look = [&](const MemoryAccess& access) {
    const bool watched =
        access.space == ptx::Space::shared || access.space == ptx::Space::global || access.space == ptx::Space::generic;
    if (!watched) return;
    smallest = std::min<std::uint32_t>(smallest, access.bytes);
    fences |= access.ordering == Ordering::acquire || access.ordering == Ordering::release ||
              access.ordering == Ordering::acquire_release;
  };
  for (const auto& access : program.accesses) look(access);
  for (const auto& atomic : program.atomics) look(atomic.address);
  for (const auto& op : program.code) fences |= op.kind == Kind::fence;
  granule_shift_ = smallest == 1 ? 0 : smallest == 2 ? 1 : 2;
  order_.begin_launch(fences);
  ++generation_;
  pool_.clear();
  places_.fill({});
  for (auto& cut : cuts_) cut.instruction = ~0u;
  for (auto it = global_.begin(); it != global_.end();) {
    const Allocation* allocation = memory.find(it->second.base);
    const bool gone = allocation == nullptr || allocation->host == nullptr || allocation->id != it->first;
    it = gone ? global_.erase(it) : ++it;
  }
}

void RaceChecker::begin_block(RaceBlock& block, std::uint64_t linear, std::uint32_t warps, std::uint32_t shared_bytes) {
  order_.begin_block(block.clocks, linear, warps);
  block.pool.clear();
  block.shared.heads.resize((std::size_t{shared_bytes} >> (granule_shift_ + 5)) + 1);
  ++block.shared.generation;
}

Lines* RaceChecker::lines_of(const Allocation& allocation) {
  Lines& lines = global_[allocation.id];
  const std::uint64_t line_bytes = std::uint64_t{granules_per_line} << granule_shift_;
  lines.base = allocation.address & ~(std::uint64_t{granules_per_line * 4} - 1);
  // The table is as long as the smallest granule of any kernel so far asks for.
  const std::uint64_t needed = (allocation.address + allocation.size_bytes - lines.base) / line_bytes + 1;
  if (lines.heads.size() < needed) lines.heads.resize(needed);
  lines.generation = generation_;
  return &lines;
}

const RaceChecker::Place& RaceChecker::place_of(std::uint32_t instruction, std::uint64_t address,
                                                const Memory& memory) {
  Place& place = places_[instruction % places_.size()];
  if (place.allocation != nullptr && place.allocation->contains(address)) return place;
  place.allocation = memory.find(address);
  // Neither an error nor constant memory is ours.
  if (place.allocation != nullptr && (place.allocation->host == nullptr || place.allocation->read_only))
    place.allocation = nullptr;
  place.lines = place.allocation != nullptr ? lines_of(*place.allocation) : nullptr;
  return place;
}

/// Flags, tickets and locks: what the access makes known, and what it hears of.
void RaceChecker::synchronise(RaceBlock& block, const Access& access, Mask mask) {
  HappensBefore::Synchronising s;
  s.is_shared = access.is_shared;
  s.reads = !access.kind.store || access.kind.atomic;
  s.writes = access.kind.store;
  s.releases = access.ordering == Ordering::release || access.ordering == Ordering::acquire_release;
  for (Mask m = mask; m != 0; m &= m - 1) {
    s.address = access.address_of(static_cast<unsigned>(__builtin_ctz(m)));
    order_.access(block.clocks, access.warp, s);
  }
}

/// Lane i of `mask` touches the 4 bytes at `address` + 4 * (i - the first lane of `mask`).
void RaceChecker::stage_contiguous(const Lines& lines, std::uint64_t address, Mask mask) {
  const auto first_lane = static_cast<unsigned>(__builtin_ctz(mask));
  const std::uint64_t granule = (address - lines.base) / 4;
  const auto offset = static_cast<unsigned>(granule % granules_per_line);
  const unsigned begin = (first_lane - offset) % warp_size;  // the lane of the line's first granule
  staged_count_ = 0;
  auto put = [&](std::uint64_t line, std::uint32_t granules) {
    if (granules == 0) return;
    Staged& s = staged_[staged_count_++];
    s.line = line;
    s.granules = granules;
    s.pattern = static_cast<std::uint8_t>(begin);
    std::memcpy(s.lane.data(), consecutive.lane + begin, sizeof s.lane);
  };
  const Mask run = mask >> first_lane;
  put(granule / granules_per_line, run << offset);
  if (offset != 0) put(granule / granules_per_line + 1, run >> (granules_per_line - offset));
}

RaceChecker::Staged& RaceChecker::staged_line(std::uint64_t line) {
  for (std::size_t i = staged_count_; i > 0; --i) {
    if (staged_[i - 1].line == line) return staged_[i - 1];
  }
  Staged& fresh = staged_[staged_count_++];
  fresh.line = line;
  fresh.granules = 0;
  fresh.pattern = Segment::any_pattern;
  fresh.lane.fill(0);
  return fresh;
}

/// Several lanes of this instruction touch the same granules. Of a store, only one of the values survives.
void RaceChecker::collide(std::uint64_t block, const Access& access, Staged& staged, std::uint32_t granules,
                          unsigned lane, std::uint64_t address) {
  const unsigned first = staged.lane[static_cast<std::size_t>(__builtin_ctz(granules))] & (several - 1);
  for (std::uint32_t m = granules; m != 0; m &= m - 1)
    staged.lane[static_cast<std::size_t>(__builtin_ctz(m))] = static_cast<std::uint8_t>(lane | several);
  if (!access.kind.store || access.kind.atomic) return;
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
  conflicts_.push_back(conflict);
}

/// Cuts the lanes that touch `lines` into segments; returns the lanes that touch other memory.
Mask RaceChecker::stage(std::uint64_t block, const Access& access, const Lines& lines, Mask mask,
                        const Allocation* allocation) {
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
      const auto at = static_cast<unsigned>(granule % granules_per_line);
      const unsigned here = std::min(count - done, granules_per_line - at);
      const std::uint32_t bits = (here == 32 ? ~0u : (1u << here) - 1) << at;
      const std::uint64_t line = granule / granules_per_line;
      if (staged == nullptr || staged->line != line) staged = &staged_line(line);
      const std::uint32_t again = staged->granules & bits;
      for (std::uint32_t n = bits & ~again; n != 0; n &= n - 1)
        staged->lane[static_cast<std::size_t>(__builtin_ctz(n))] = static_cast<std::uint8_t>(lane);
      staged->granules |= bits;
      if (again != 0) collide(block, access, *staged, again, lane, address);
      granule += here;
      done += here;
    }
  }
  return left;
}

bool RaceChecker::stage_as_before(const Access& access, const Lines& lines, Mask mask) {
  const Cut& cut = cuts_[access.instruction % cuts_.size()];
  const std::uint64_t granule = (access.span->least - lines.base) >> granule_shift_;
  if (cut.instruction != access.instruction || cut.mask != mask || cut.bytes != access.bytes ||
      cut.phase != granule % granules_per_line ||
      std::memcmp(cut.offset.data(), access.span->offset, sizeof access.span->offset) != 0)
    return false;
  staged_count_ = cut.staged.size();
  for (std::size_t i = 0; i < staged_count_; ++i) {
    staged_[i] = cut.staged[i];
    staged_[i].line += granule / granules_per_line;
  }
  return true;
}

void RaceChecker::remember_cut(const Access& access, const Lines& lines, Mask mask) {
  Cut& cut = cuts_[access.instruction % cuts_.size()];
  const std::uint64_t granule = (access.span->least - lines.base) >> granule_shift_;
  cut.instruction = access.instruction;
  cut.bytes = access.bytes;
  cut.phase = static_cast<std::uint32_t>(granule % granules_per_line);
  cut.mask = mask;
  std::memcpy(cut.offset.data(), access.span->offset, sizeof access.span->offset);
  cut.staged.assign(staged_.begin(), staged_.begin() + static_cast<std::ptrdiff_t>(staged_count_));
  for (Staged& staged : cut.staged) staged.line -= granule / granules_per_line;
}

RaceChecker::Overlap RaceChecker::overlap_of(const RaceBlock& block, const Access& access, const SegmentPool& pool,
                                             const Segment& earlier, const Staged& now) const {
  Overlap o;
  o.both = earlier.granules & now.granules;
  if (o.both == 0) return o;
  const auto& clocks = block.clocks;
  o.own_warp = earlier.block == clocks.block && earlier.warp == access.warp;
  if (order_.ordered(clocks, access.warp, earlier.block, earlier.warp, earlier.clock)) return o;
  o.concurrent = o.both;
  if (!o.own_warp) return o;
  if (earlier.pattern == now.pattern && now.pattern != Segment::any_pattern) {  // each lane its own: program order
    o.concurrent = 0;
    return o;
  }
  if (earlier.pattern == now.pattern && earlier.granules == now.granules) {
    const LaneMap& then = pool.maps[earlier.lanes];
    if (std::memcmp(then.data(), now.lane.data(), sizeof then) == 0 && !any_several(then)) {
      o.concurrent = 0;
      return o;
    }
  }
  const auto& pair = clocks.warps[access.warp].pair;
  for (std::uint32_t m = o.concurrent; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint8_t then = pool.lane(earlier, g);
    if (((then | now.lane[g]) & several) != 0) continue;
    if (then == now.lane[g] || (pair && (*pair)[now.lane[g]][then] >= earlier.clock)) o.concurrent &= ~(1u << g);
  }
  return o;
}

void RaceChecker::found(const Access& access, const Lines& lines, const SegmentPool& pool, const Segment& earlier,
                        const Staged& now, std::uint32_t granules) {
  // Where several lanes have touched a granule, only one is known: rather name one that is certainly another thread.
  auto g = static_cast<unsigned>(__builtin_ctz(granules));
  auto differ = [&](unsigned i) { return ((pool.lane(earlier, i) ^ now.lane[i]) & (several - 1)) != 0; };
  for (std::uint32_t m = granules; m != 0 && !differ(g); m &= m - 1) {
    const auto next = static_cast<unsigned>(__builtin_ctz(m));
    if (differ(next)) g = next;
  }
  Conflict conflict;
  conflict.earlier = earlier;
  conflict.earlier_lane = pool.lane(earlier, g) & (several - 1);
  conflict.lane = now.lane[g] & (several - 1);
  conflict.address = lines.base + ((now.line * granules_per_line + g) << granule_shift_);
  conflict.access_address = access.address_of(conflict.lane);
  conflict.bytes = std::max(access.bytes, 1u << granule_shift_);
  conflicts_.push_back(conflict);
}

void RaceChecker::visit(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Staged& now) {
  constexpr unsigned longest_list = 8;
  auto& head = lines.heads[now.line];
  if (head.generation != lines.generation) head = {lines.generation, end_of_list};
  if (head.first == end_of_list || (head.first & Lines::Head::scattered) == 0) {
    if (visit_list(block, access, lines, pool, now, head.first) > longest_list)
      head.first = scatter(pool, head.first) | Lines::Head::scattered;
    return;
  }
  const std::uint32_t lists = head.first & ~Lines::Head::scattered;
  const std::uint32_t granules = now.granules;
  const std::uint8_t pattern = now.pattern;
  for (std::uint32_t m = granules; m != 0; m &= m - 1) {
    const auto g = static_cast<std::size_t>(__builtin_ctz(m));
    now.granules = 1u << g;
    now.pattern = pattern_of(now.lane[g], g, pattern);
    visit_list(block, access, lines, pool, now, pool.lists[lists][g]);
  }
}

/// Makes a list for each granule out of one for the line.
std::uint32_t RaceChecker::scatter(SegmentPool& pool, std::uint32_t first) {
  const std::uint32_t result = pool.lists.take();
  auto& lists = pool.lists[result];
  lists.fill(end_of_list);
  while (first != end_of_list) {
    const Segment whole = pool.segments[first];
    for (std::uint32_t m = whole.granules; m != 0; m &= m - 1) {
      const auto g = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint32_t index = pool.segments.take();
      Segment& single = pool.segments[index];
      single = whole;
      single.granules = 1u << g;
      single.next = lists[g];
      single.pattern = pattern_of(pool.lane(whole, g), g, whole.pattern);
      if (single.pattern == Segment::any_pattern) {
        single.lanes = pool.maps.take();
        pool.maps[single.lanes] = pool.maps[whole.lanes];
      }
      lists[g] = index;
    }
    pool.drop(first);
    first = whole.next;
  }
  return result;
}

/// Compares the new segment with those of a list, drops what it makes superfluous, and keeps it where needed: an access
/// that is ordered before the new one can only race with what races with the new one too; of reads (and of atomics)
/// that are concurrent, two of different warps are enough to find every race with a later write. Returns the length of
/// the list.
unsigned RaceChecker::visit_list(RaceBlock& block, const Access& access, const Lines& lines, SegmentPool& pool,
                                 Staged& now, std::uint32_t& first) {
  const auto& warp = block.clocks.warps[access.warp];
  std::uint32_t once = 0, twice = 0;
  std::uint32_t* link = &first;
  unsigned length = 1;
  while (*link != end_of_list) {
    const std::uint32_t index = *link;
    Segment& earlier = pool.segments[index];
    const Overlap o = overlap_of(block, access, pool, earlier, now);
    if (o.concurrent != 0 && is_race(earlier.kind, access.kind, access.is_shared, earlier.block == block.clocks.block))
      found(access, lines, pool, earlier, now, o.concurrent);
    const bool alike = earlier.kind.store == access.kind.store && earlier.kind.atomic == access.kind.atomic;
    std::uint32_t superfluous = o.both;  // what a plain store covers: later races will be with it
    if (!access.kind.store) {
      superfluous = alike ? o.both & (o.own_warp ? ~0u : ~o.concurrent) : 0;
    } else if (access.kind.atomic && earlier.kind.atomic && !o.own_warp) {
      superfluous = o.both & ~o.concurrent;
    }
    // A plain store stays beside an atomic that comes after it, unless nothing can race with it any more.
    const bool over = access.is_shared && earlier.clock <= block.clocks.everyone;
    if (!over && !stands_for(access.kind, earlier.kind)) superfluous = 0;
    if (alike && o.own_warp && o.concurrent != 0 && (!access.kind.store || access.kind.atomic)) {
      for (std::uint32_t m = o.concurrent; m != 0; m &= m - 1)
        now.lane[static_cast<std::size_t>(__builtin_ctz(m))] |= several;
      now.pattern = Segment::any_pattern;
    }
    if (alike && !o.own_warp && o.concurrent != 0) {
      twice |= once & o.concurrent;
      once |= o.concurrent;
    }
    earlier.granules &= ~superfluous;
    if (earlier.granules == 0) {
      *link = earlier.next;
      pool.drop(index);
      continue;
    }
    ++length;
    link = &earlier.next;
  }
  if (!access.kind.store || access.kind.atomic) now.granules &= ~twice;
  if (now.granules == 0) return length - 1;
  const std::uint32_t index = pool.segments.take();
  Segment& s = pool.segments[index];
  s.granules = now.granules;
  s.instruction = access.instruction;
  s.block = block.clocks.block;
  s.clock = warp.now;
  s.warp = static_cast<std::uint16_t>(access.warp);
  s.kind = access.kind;
  s.pattern = now.pattern;
  if (now.pattern == Segment::any_pattern) {
    s.lanes = pool.maps.take();
    pool.maps[s.lanes] = now.lane;
  }
  s.next = first;
  first = index;
  return length;
}

const std::vector<Conflict>& RaceChecker::look_at(RaceBlock& block, const Access& given, Mask mask,
                                                  const Memory& memory) {
  conflicts_.clear();
  staged_.resize(2 * warp_size);
  Access access = given;
  access.kind.fenced = access.kind.is_volatile && !block.clocks.warps[access.warp].fenced_in_block.empty();
  if (at_least_volatile(access.kind)) synchronise(block, access, mask);
  while (mask != 0) {
    Lines* lines = &block.shared;
    const Allocation* allocation = nullptr;
    if (!access.is_shared) {
      const Place& place =
          place_of(access.instruction, access.address_of(static_cast<unsigned>(__builtin_ctz(mask))), memory);
      allocation = place.allocation;
      lines = place.lines;
      if (allocation == nullptr) {
        mask &= mask - 1;
        continue;
      }
    }
    const Mask left = cut(block, access, *lines, mask, allocation);
    for (std::size_t i = 0; i < staged_count_; ++i) {
      if (staged_[i].line < lines->heads.size())
        visit(block, access, *lines, access.is_shared ? block.pool : pool_, staged_[i]);
    }
    mask = left;
  }
  return conflicts_;
}

/// Cuts the lanes that touch `lines` into segments, in the quickest way; returns the lanes that touch other memory.
Mask RaceChecker::cut(const RaceBlock& block, const Access& access, const Lines& lines, Mask mask,
                      const Allocation* allocation) {
  if (access.address == nullptr && granule_shift_ == 2) {
    const auto last = 31 - static_cast<unsigned>(__builtin_clz(mask));
    if (allocation == nullptr || allocation->contains(access.address_of(last))) {
      stage_contiguous(lines, access.address_of(static_cast<unsigned>(__builtin_ctz(mask))), mask);
      return 0;
    }
  }
  const bool whole =
      access.span != nullptr && access.span->most - access.span->least <= ~0u &&
      (allocation == nullptr || (allocation->contains(access.span->least) && allocation->contains(access.span->most)));
  if (whole && stage_as_before(access, lines, mask)) return 0;
  const std::size_t conflicts = conflicts_.size();
  const Mask left = stage(block.clocks.block, access, lines, mask, allocation);
  if (whole && conflicts == conflicts_.size()) remember_cut(access, lines, mask);
  return left;
}

}  // namespace cudasim
