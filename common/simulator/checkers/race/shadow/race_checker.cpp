// SPDX-License-Identifier: MIT
// Which segments of a line the checker compares, and which it need not keep.
#include "checkers/race/shadow/race_checker.h"

#include <algorithm>
#include <cstring>

#include "checkers/race/shadow/undo_log.h"
#include "program/program.h"

namespace cudasim {
namespace {

/// A write on which other threads may rely: atomic, or ordered by the program itself.
bool sound_write(const AccessKind& kind) { return kind.atomic || kind.strong || kind.fenced; }

/// Whether two accesses that nothing orders are a race. Atomics and strong accesses are made to be concurrent. Old code
/// uses `volatile` for both. Between blocks it is accepted between a reader and a writer; in shared memory, only for a
/// writer that has fenced. It never makes two writers atomic.
bool is_race(const AccessKind& a, const AccessKind& b, bool is_shared, bool same_block) {
  if (!a.store && !b.store) return false;
  if (!same_block && (a.of_block || b.of_block)) return true;
  if (!at_least_volatile(a) || !at_least_volatile(b)) return true;
  if (a.store && b.store) return !sound_write(a) || !sound_write(b);
  return is_shared && !sound_write(a.store ? a : b);
}

/// Reads (or atomics) that are concurrent with a new one, by granule. They show when others stand for it, so that it
/// need not be kept. Two of different blocks find every race with a later write, because nothing orders blocks one by
/// one. Two of different warps of its block do so too, because a barrier orders all of them. So do two of its own warp
/// by different lanes. A flag, a named barrier or a __syncwarp of part of a warp orders only some, so it may hide a
/// third.
struct Company {
  std::uint32_t warp = 0, warp_again = 0;    // In the new one's warp: by a lane, by further lanes.
  std::uint32_t block = 0, block_again = 0;  // In another warp of its block, in further warps.
  std::uint32_t grid = 0, grid_again = 0;    // In another block, in further blocks.
  std::uint32_t first_warp = 0;
  std::uint64_t first_block = 0;

  Mask lanes[kGranulesPerLine];  // of the own warp, where `warp` has the granule

  void add(const SegmentPool& pool, const Segment& s, bool own_warp, bool own_block, std::uint32_t granules) {
    if (own_warp) {
      for (std::uint32_t m = granules & ~warp_again; m != 0; m &= m - 1) {
        const auto g = static_cast<unsigned>(__builtin_ctz(m));
        const Lanes now{pool.lane(s, g).mask | ((warp >> g & 1) != 0 ? lanes[g] : 0)};
        lanes[g] = now.mask;
        if (!now.is_one() && (warp >> g & 1) != 0) warp_again |= 1u << g;
      }
      warp |= granules;
    } else if (own_block) {
      if (block == 0) first_warp = s.warp;
      (s.warp == first_warp ? block : block_again) |= granules;
    } else {
      if (grid == 0) first_block = s.block;
      (s.block == first_block ? grid : grid_again) |= granules;
    }
  }
  std::uint32_t enough() const {
    return warp_again | (block & block_again) | (grid & grid_again) | (warp & (block | block_again)) |
           ((warp | block | block_again) & (grid | grid_again));
  }
};

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
  for (const auto& op : program.code) fences |= op.kind == MicroOpcode::fence;
  granule_shift_ = smallest == 1 ? 0 : smallest == 2 ? 1 : 2;
  order_.begin_launch(fences);
  ++generation_;
  cutter_.begin_launch(granule_shift_);
  pool_.clear();
  places_.fill({});
  scattered_.fill({});
  shapes_.clear();
  blocks_ = 0;
  undo_ = nullptr;
  for (auto it = global_.begin(); it != global_.end();) {
    const Allocation* allocation = memory.find(it->second.base);
    const bool gone = allocation == nullptr || allocation->host == nullptr || allocation->id != it->first;
    it = gone ? global_.erase(it) : ++it;
  }
}

void RaceChecker::begin_block(RaceBlock& block, std::uint64_t linear, std::uint32_t warps, std::uint32_t shared_bytes) {
  order_.begin_block(block.clocks, linear, warps);
  block.pool.clear();
  if (blocks_ != Lines::Head::kLastBlock) ++blocks_;
  block.sequence = blocks_;
  block.shared.grow((std::size_t{shared_bytes} >> (granule_shift_ + 5)) + 1);
  ++block.shared.generation;
  block.epoch.begin_block(shared_bytes);
}

Lines* RaceChecker::lines_of(const Allocation& allocation) {
  Lines& lines = global_[allocation.id];
  const std::uint64_t line_bytes = std::uint64_t{kGranulesPerLine} << granule_shift_;
  lines.base = allocation.address & ~(std::uint64_t{kGranulesPerLine * 4} - 1);
  // The smallest granule of any kernel so far gives the length of the table.
  const std::uint64_t needed = (allocation.address + allocation.size_bytes - lines.base) / line_bytes + 1;
  lines.grow(needed);
  if (lines.generation != generation_) {
    lines.written_begin = ~0ull;
    lines.written_end = 0;
    lines.allocation = &allocation;
    lines.kept = undo_ != nullptr ? undo_->table_of(allocation) : nullptr;
  }
  lines.generation = generation_;
  return &lines;
}

void RaceChecker::keep_line(const Lines& lines, std::uint64_t line) {
  undo_->keep(*lines.allocation, lines.kept, lines.base + (line * kGranulesPerLine << granule_shift_));
}

RaceChecker::Place& RaceChecker::place_of(std::uint32_t instruction, std::uint64_t address, const Memory& memory) {
  Place& place = places_[instruction % places_.size()];
  if (place.allocation != nullptr && place.allocation->contains(address)) return place;
  place.allocation = memory.find(address);
  // Errors and constant memory are not part of this check.
  if (place.allocation != nullptr && (place.allocation->host == nullptr || place.allocation->read_only))
    place.allocation = nullptr;
  place.lines = place.allocation != nullptr ? lines_of(*place.allocation) : nullptr;
  return place;
}

/// Loops mostly advance in equal steps, so this prefetches the head of the next line.
void RaceChecker::look_ahead(Place& place, std::uint64_t address) const {
  const std::uint64_t line = ((address - place.lines->base) >> granule_shift_) / kGranulesPerLine;
  const std::uint64_t next = 2 * line - place.line;
  place.line = line;
  if (next < place.lines->count) __builtin_prefetch(&place.lines->heads[next], 1);
}

/// Flags, tickets and locks: what the access makes known, and what it acquires.
void RaceChecker::synchronise(RaceBlock& block, const Access& access, Mask mask) {
  HappensBefore::Synchronising s;
  s.is_shared = access.is_shared;
  s.acquires = access.ordering == Ordering::acquire || access.ordering == Ordering::acquire_release;
  s.reads = access.kind.observes || s.acquires;
  s.writes = access.kind.store;
  s.releases = access.ordering == Ordering::release || access.ordering == Ordering::acquire_release;
  s.of_block = access.kind.of_block;
  s.instruction = access.instruction;
  for (Mask m = mask; m != 0; m &= m - 1) {
    s.lane = static_cast<unsigned>(__builtin_ctz(m));
    s.address = access.address_of(s.lane);
    order_.access(block.clocks, access.warp, s);
  }
}

RaceChecker::Overlap RaceChecker::overlap_of(const RaceBlock& block, const Access& access, const SegmentPool& pool,
                                             const Segment& earlier, const Staged& now) const {
  const std::uint32_t both = earlier.granules & now.granules;
  const auto& clocks = block.clocks;
  const bool own_warp = earlier.block == clocks.block && earlier.warp == access.warp;
  bool again =
      false;  // Results are written whole: a read of an Overlap that was written in parts waits for the stores.
  if (own_warp && earlier.pattern == now.pattern && now.pattern != Segment::kAnyPattern) {
    // Each lane where it was before: program order.
    const bool same_places = earlier.granules == now.granules;
    const bool same_lanes = !earlier.has_map() || (same_places && std::memcmp(pool.maps[earlier.lanes].data(),
                                                                              now.lane.data(), sizeof(LaneMap)) == 0);
    again = same_lanes && same_places;
    if (same_lanes) return {both, 0, 0, own_warp, again};
  }
  if (order_.ordered(clocks, access.warp, earlier.block, earlier.warp, earlier.clock))
    return {both, 0, 0, own_warp, again};
  Overlap o{both, both, 0, own_warp, again};
  if (!own_warp && (earlier.block != clocks.block || clocks.lanes == nullptr)) return o;
  for (std::uint32_t m = o.concurrent; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    const Lanes then = pool.lane(earlier, g), lane = now.lane[g];
    if (clocks.orders_lanes(earlier.warp, then.mask, earlier.clock, access.warp, lane.mask)) {
      o.concurrent &= ~(1u << g);
    } else if (own_warp && then == lane) {
      o.same_lanes |= 1u << g;
    }
  }
  return o;
}

void RaceChecker::found(const RaceBlock& block, const Access& access, const Lines& lines, const SegmentPool& pool,
                        const Segment& earlier, const Staged& now, std::uint32_t granules) {
  const auto g = static_cast<unsigned>(__builtin_ctz(granules));
  Conflict conflict;
  conflict.earlier = earlier;
  const Lanes then = pool.lane(earlier, g), lanes = now.lane[g];
  conflict.lane = lanes.first();
  // In one warp both sides may have several lanes: the finding names two different ones.
  conflict.earlier_lane = then.first() != conflict.lane ? then.first() : then.last();
  if (conflict.earlier_lane == conflict.lane) conflict.lane = lanes.last();
  // Some lanes may have met at a barrier: the finding names two that have not.
  const auto& clocks = block.clocks;
  const auto ordered = [&](unsigned earlier_lane, unsigned lane) {
    return clocks.orders_lanes(earlier.warp, 1u << earlier_lane, earlier.clock, access.warp, 1u << lane);
  };
  if (earlier.block == clocks.block && ordered(conflict.earlier_lane, conflict.lane)) {
    for (Mask pairs = lanes.mask; pairs != 0; pairs &= pairs - 1) {
      for (Mask m = then.mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(pairs)), other = static_cast<unsigned>(__builtin_ctz(m));
        if (ordered(other, lane)) continue;
        conflict.lane = lane;
        conflict.earlier_lane = other;
      }
    }
  }
  conflict.address = lines.base + ((now.line * kGranulesPerLine + g) << granule_shift_);
  conflict.access_address = access.address_of(conflict.lane);
  conflict.bytes = std::max(access.bytes, 1u << granule_shift_);
  conflict.granules = (now.granules & earlier.granules) >> g | 1u;
  conflict.granule_bytes = 1u << granule_shift_;
  conflicts_.push_back(conflict);
}

void RaceChecker::visit(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Staged& now) {
  constexpr unsigned kLongestList = 8;
  auto& head = lines.heads[now.line];
  if (head.generation != lines.generation) head = {lines.generation, kEndOfList, 0, 0, 0, 0};
  const bool atomics = is_device_atomic(access.kind);
  const bool reads = is_plain_read(access.kind);
  const bool may_be_quiet = access.is_shared && reads ? true : (atomics || reads) && !order_.active();
  const std::uint32_t granules = now.granules;
  const std::uint32_t barrier = block.last_barrier();
  if (!may_be_quiet || head.quiet_atomics != atomics) {
    head.quiet &= ~granules;
  } else if (access.is_shared) {
    if (head.is_quiet_since(granules, atomics, barrier)) {
      if (atomics) observe(block, access, lines, now, granules);
      return;
    }
    if (head.quiet_until != barrier) head.quiet = 0;
  } else if (head.is_quiet(granules, atomics, block.sequence)) {
    if (atomics) observe(block, access, lines, now, granules);
    return;
  }
  if (access.kind.store && !access.is_shared) {
    lines.note_written(now.line, now.line);
    if (undo_ != nullptr) keep(lines, now.line);
  }
  std::uint32_t quiet = 0;
  if (!head.is_scattered()) {
    if (visit_list(block, access, lines, pool, now, head.first) > kLongestList)
      head.first = pool.scatter(head.first) | Lines::Head::kScattered;
    quiet = now.quiet;
  } else {
    const std::uint32_t lists = head.first & ~Lines::Head::kScattered;
    const std::uint8_t pattern = now.pattern;
    for (std::uint32_t m = granules; m != 0; m &= m - 1) {
      const auto g = static_cast<unsigned>(__builtin_ctz(m));
      std::uint32_t& entry = pool.lists[lists][g];
      pool.spell_out(entry, g);
      now.granules = 1u << g;
      now.pattern = pattern_of(now.lane[g], g, pattern);
      visit_list(block, access, lines, pool, now, entry);
      quiet |= now.quiet;
    }
  }
  if (at_least_volatile(access.kind)) observe(block, access, lines, now, granules);
  if (!may_be_quiet || quiet == 0) return;
  head.quiet = head.quiet_atomics == atomics ? head.quiet | quiet : quiet;
  head.quiet_atomics = atomics;
  head.quiet_until = (access.is_shared ? barrier : blocks_) & Lines::Head::kLastBlock;
}

/// Compares the new segment with those of a list, drops those that it makes superfluous, and keeps it where needed. An
/// access that is ordered before the new one can only race with what races with the new one too. Returns the length of
/// the list.
unsigned RaceChecker::visit_list(RaceBlock& block, const Access& access, const Lines& lines, SegmentPool& pool,
                                 Staged& now, std::uint32_t& first) {
  const auto& warp = block.clocks.warps[access.warp];
  Company company;
  std::uint32_t disturbed = 0;  // granules that others have touched, see Lines::Head::quiet
  std::uint32_t* link = &first;
  unsigned length = 1;
  bool kept = false;  // the new access is in the list: a segment of the same lanes at the same places stands for it
  while (*link != kEndOfList) {
    const std::uint32_t index = *link;
    Segment& earlier = pool.segments[index];
    if ((earlier.granules & now.granules) == 0) {
      ++length;
      link = &earlier.next;
      continue;
    }
    Overlap o = overlap_of(block, access, pool, earlier, now);
    const bool own_block = earlier.block == block.clocks.block;
    if (!(is_device_atomic(access.kind) ? is_device_atomic(earlier.kind) : is_plain_read(earlier.kind)))
      disturbed |= o.both;
    bool race = o.concurrent != 0 && is_race(earlier.kind, access.kind, access.is_shared, own_block);
    if (race && earlier.kind.store && at_least_volatile(earlier.kind)) {
      o.concurrent &= ~observed(block, access, lines, now, o.concurrent);
      race = o.concurrent != 0;
    }
    if (is_stale_read(access.kind, earlier.kind)) {
      o.concurrent = o.both;
      race = true;
    }
    if (race) found(block, access, lines, pool, earlier, now, o.concurrent);
    // A later access that races with the earlier one must race with the new one too: then the earlier one is
    // superfluous.
    const bool weaker = !stands_for(access.kind, earlier.kind);
    const bool alike = !weaker && earlier.kind.store == access.kind.store && earlier.kind.atomic == access.kind.atomic;
    if (alike && o.again) {
      earlier.instruction = access.instruction;
      earlier.clock = warp.now;
      earlier.kind = access.kind;
      kept = true;
      ++length;
      link = &earlier.next;
      continue;
    }
    std::uint32_t superfluous = 0;
    if (access.is_shared && earlier.clock <= block.clocks.everyone) {
      superfluous = o.both;  // nothing can race with it any more
    } else if (access.kind.store && !access.kind.atomic) {
      superfluous = !weaker ? o.both : race ? o.concurrent : 0;  // those that race have been reported
    } else if (alike) {
      superfluous = o.both & (~o.concurrent | o.same_lanes);
    } else if (race && access.kind.store) {
      superfluous = o.concurrent;
    }
    if (alike && o.concurrent != 0) company.add(pool, earlier, o.own_warp, own_block, o.concurrent);
    earlier.granules &= ~superfluous;
    if (earlier.granules == 0) {
      *link = earlier.next;
      pool.drop(index);
      continue;
    }
    ++length;
    link = &earlier.next;
  }
  const std::uint32_t several = !access.is_shared    ? company.grid | company.grid_again
                                : access.kind.atomic ? company.block  // and the new one
                                                     : company.block & company.block_again;
  now.quiet = several & ~disturbed;
  if (!access.kind.store || access.kind.atomic) now.granules &= ~company.enough();
  if (kept || now.granules == 0) return length - 1;
  Segment segment;
  segment.granules = now.granules;
  segment.instruction = access.instruction;
  segment.block = block.clocks.block;
  segment.clock = warp.now;
  segment.warp = static_cast<std::uint16_t>(access.warp);
  segment.kind = access.kind;
  segment.pattern = now.pattern;
  pool.add(segment, now.lane, first);
  return length;
}

const std::vector<Conflict>& RaceChecker::look_at(RaceBlock& block, Access& access, Mask mask, const Memory& memory) {
  conflicts_.clear();
  access.kind.fenced = access.kind.is_volatile && !block.clocks.warps[access.warp].fenced_in_block.empty();
  if (order_.active() && at_least_volatile(access.kind)) {
    take_notes(block);
    synchronise(block, access, mask);
  }
  if (access.is_shared) {
    give_up_notes(block, access, mask);
    look_at_shared(block, access, mask);
    return conflicts_;
  }
  while (mask != 0) {
    const std::uint64_t address = access.address_of(static_cast<unsigned>(__builtin_ctz(mask)));
    Place& place = place_of(access.instruction, address, memory);
    if (place.allocation == nullptr) {
      mask &= mask - 1;
      continue;
    }
    if (access.span == nullptr && access.address == nullptr) look_ahead(place, address);
    mask = look_at(block, access, *place.lines, pool_, mask, place.allocation);
  }
  return conflicts_;
}

void RaceChecker::look_at_shared(RaceBlock& block, const Access& access, Mask mask) {
  look_at(block, access, block.shared, block.pool, mask, nullptr);
}

/// For the lanes that touch `lines`; returns those that touch other memory.
Mask RaceChecker::look_at(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Mask mask,
                          const Allocation* allocation) {
  const bool whole =
      access.span != nullptr &&
      (allocation == nullptr || (allocation->contains(access.span->least) && allocation->contains(access.span->most)));
  if (whole) mask = visit_quiet(block, access, lines, mask);
  if (mask == 0) return 0;
  if (whole && visit_scattered(block, access, lines, pool, mask)) return 0;
  const Mask left = cutter_.cut(block.clocks.block, access, lines, mask, allocation, whole, conflicts_);
  for (std::size_t i = 0; i < cutter_.size(); ++i) {
    if (cutter_[i].line < lines.count) visit(block, access, lines, pool, cutter_[i]);
  }
  return left;
}

}  // namespace cudasim
