// SPDX-License-Identifier: MIT
// Coalesced accesses: one warp touches whole lines of global memory at once, its lanes side by side. Most accesses of
// most kernels are such. Nearly all are to lines that are untouched, or that only this warp has touched, at the same
// places. This file keeps what RaceChecker::look_at() would keep; all other accesses go there.
#include "checkers/race/shadow/race_checker.h"
#include "checkers/race/shadow/undo_log.h"
#include "state/lane_addresses.h"

namespace cudasim {

/// The only segment of a line, if this warp has made it with its lanes at the same places; or null. It then represents
/// the new access as well.
Segment* RaceChecker::own_segment(const RaceBlock& block, const Lines::Head& head, std::uint32_t warp,
                                  std::uint8_t pattern) {
  if (head.first == kEndOfList || head.is_scattered() || head.quiet != 0) return nullptr;
  Segment& only = pool_.segments[head.first];
  const bool is_own =
      only.next == kEndOfList && only.pattern == pattern && only.block == block.clocks.block && only.warp == warp;
  return is_own ? &only : nullptr;
}

bool RaceChecker::take_coalesced(const RaceBlock& block, const CoalescedAccess& now, std::uint32_t warp,
                                 std::uint32_t instruction, AccessKind kind) {
  constexpr std::uint64_t kLineBytes = 4 * kGranulesPerLine;
  constexpr unsigned kMostLines = 2;
  if (granule_shift_ != 2) return false;
  Place& place = places_[instruction % places_.size()];
  if (place.allocation != now.allocation) {
    place.allocation = now.allocation;
    place.lines = lines_of(*now.allocation);
  }
  Lines& lines = *place.lines;
  const std::uint64_t offset = now.address - lines.base;
  if (offset % kLineBytes != 0) return false;
  const std::uint64_t first = offset / kLineBytes;
  const auto count = static_cast<unsigned>(now.bytes / kLineBytes);  // a lane has so many granules of 4 bytes
  // The result for each line is known before anything is changed.
  Segment* own[kMostLines] = {};
  std::uint8_t pattern[kMostLines] = {};
  bool is_quiet[kMostLines] = {};
  for (unsigned i = 0; i < count; ++i) {
    const Lines::Head& head = lines.heads[first + i];
    pattern[i] = Segment::pattern_for(i * kWarpSize / count, 0, count - 1);
    if (head.generation != lines.generation) continue;
    is_quiet[i] = !kind.store && !order_.active() && head.is_quiet(~0u, false, block.sequence);
    if (is_quiet[i]) continue;
    own[i] = own_segment(block, head, warp, pattern[i]);
    // When a warp stores and then loads a place, the load is kept beside the store.
    if (own[i] == nullptr || (own[i]->kind.store && !kind.store)) return false;
  }
  look_ahead(place, now.address);
  const Clock clock = block.clocks.warps[warp].now;
  for (unsigned i = 0; i < count; ++i) {
    if (is_quiet[i]) continue;
    Lines::Head& head = lines.heads[first + i];
    std::uint32_t index = head.first;
    if (own[i] == nullptr) {
      index = pool_.segments.take();
      head = {lines.generation, index, 0, 0, 0, 0};
    }
    if (kind.store) {
      lines.note_written(first + i, first + i);
      if (undo_ != nullptr) keep(lines, first + i);
    }
    Segment& s = pool_.segments[index];
    s.granules = ~0u;
    s.instruction = instruction;
    s.block = block.clocks.block;
    s.clock = clock;
    s.next = kEndOfList;
    s.warp = static_cast<std::uint16_t>(warp);
    s.kind = kind;
    s.pattern = pattern[i];
  }
  return true;
}

}  // namespace cudasim
