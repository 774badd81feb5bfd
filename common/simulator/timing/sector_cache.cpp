// SPDX-License-Identifier: MIT
#include "timing/sector_cache.h"

#include <algorithm>

namespace cudasim {

SectorCache::SectorCache(std::uint64_t lines, unsigned ways, Sets sets, unsigned sectors_together)
    : sets_(std::max<std::uint64_t>(1, lines / ways)),
      ways_(ways),
      sectors_together_(sectors_together),
      kind_of_sets_(sets),
      entries_(zeroed<Entry>(sets_ * ways)) {}

/// The line's entry, which may be a new one: `found` then has what had to leave.
SectorCache::Entry& SectorCache::find(std::uint64_t line, Found& found) {
  const std::uint64_t set =
      (kind_of_sets_ == Sets::drawn ? scatter(line) : line + scatter(line / sets_) % sets_) % sets_;
  Entry* const first = &entries_[set * ways_];
  Entry* oldest = first;
  ++now_;
  for (unsigned way = 0; way < ways_; ++way) {
    Entry& entry = first[way];
    if (entry.line == line + 1) {
      entry.used = now_;
      return entry;
    }
    if (entry.used < oldest->used) oldest = &entry;
  }
  found.written_back = oldest->dirty;
  *oldest = {line + 1, now_, 0, 0, 0, 0};
  return *oldest;
}

SectorCache::Found SectorCache::read(std::uint64_t line, SectorMask sectors, std::uint32_t step) {
  Found found;
  Entry& entry = find(line, found);
  found.hit = entry.valid & sectors;
  if (entry.step == step) found.late = entry.recent & sectors;
  unsigned missing = sectors & ~entry.valid;
  if (missing == 0) return found;
  if (sectors_together_ == 2) missing = ((missing | missing >> 1) & 0b0101) * 0b11;
  found.allocated = static_cast<SectorMask>(missing & ~entry.valid);
  entry.recent = static_cast<SectorMask>((entry.step == step ? entry.recent : 0) | found.allocated);
  entry.step = step;
  entry.valid |= found.allocated;
  return found;
}

SectorCache::Found SectorCache::write(std::uint64_t line, SectorMask sectors, std::uint32_t) {
  Found found;
  Entry& entry = find(line, found);
  found.hit = entry.valid & sectors;
  found.allocated = static_cast<SectorMask>(sectors & ~entry.valid);
  found.new_dirty = static_cast<SectorMask>(sectors & ~entry.dirty);
  entry.valid |= sectors;
  entry.dirty |= sectors;
  return found;
}

}  // namespace cudasim
