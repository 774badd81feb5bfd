// SPDX-License-Identifier: MIT
// A cache of lines of four sectors, as the L1 of a multiprocessor and the L2 of a GPU are. A miss fetches the missing
// sectors, alone or in pairs. The line that was touched least recently leaves its set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "state/zeroed.h"

namespace cudasim {

constexpr std::uint64_t kLineBytes = 128, kSectorBytesOfLine = 32;
constexpr std::uint64_t kSectorsPerLine = kLineBytes / kSectorBytesOfLine;

/// One bit a sector of a line.
using SectorMask = std::uint8_t;

/// Scatters numbers.
constexpr std::uint64_t scatter(std::uint64_t line) {
  line *= 0x9e37'79b9'7f4a'7c15;
  line ^= line >> 29;
  line *= 0xbf58'476d'1ce4'e5b9;
  return line ^ line >> 32;
}

class SectorCache {
 public:
  /// How lines get their sets.
  enum class Sets : std::uint8_t {
    in_turn,  ///< neighbours are in different ones, and lines at equal distances do not meet in one
    drawn,    ///< by chance, so that some sets are full before others
  };
  /// `sectors_together`: how many a miss fetches, 1 or 2.
  SectorCache(std::uint64_t lines, unsigned ways, Sets sets, unsigned sectors_together);

  struct Found {
    SectorMask hit = 0;
    SectorMask late = 0;          ///< Those of `hit` that were fetched in the same step: they are still on their way.
    SectorMask new_dirty = 0;     ///< write(): those that were not dirty before.
    SectorMask allocated = 0;     ///< Those that were not there and are now.
    SectorMask written_back = 0;  ///< Dirty sectors of the line that had to leave.
  };
  /// `step`: accesses of one step are made at about the same time.
  Found read(std::uint64_t line, SectorMask sectors, std::uint32_t step);
  /// The sectors become dirty, and are there afterwards.
  Found write(std::uint64_t line, SectorMask sectors, std::uint32_t step);

  std::uint64_t lines() const { return sets_ * ways_; }

 private:
  struct Entry {
    std::uint64_t line = 0;  ///< its number plus 1; 0: empty
    std::uint32_t used = 0;  ///< the time of its last use
    std::uint32_t step = 0;  ///< of its last fill
    SectorMask valid = 0, dirty = 0, recent = 0;
  };
  Entry& find(std::uint64_t line, Found& found);

  const std::uint64_t sets_;
  const unsigned ways_, sectors_together_;
  const Sets kind_of_sets_;
  const Zeroed<Entry> entries_;
  std::uint32_t now_ = 0;
};

}  // namespace cudasim
