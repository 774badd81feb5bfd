// SPDX-License-Identifier: MIT
// Splits an access of a warp into one part for each line of memory (hardware: the coalescing unit).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "checkers/race/shadow/race_access.h"
#include "checkers/race/shadow/shadow_lines.h"
#include "memory/memory.h"

namespace cudasim {

/// What an instruction does to one line.
struct Staged {
  std::uint64_t line = 0;
  std::uint32_t granules = 0;
  std::uint32_t quiet = 0;  ///< see Lines::Head
  std::uint8_t pattern = 0;
  LaneMap lane;
};
class LineCutter {
 public:
  void begin_launch(std::uint32_t granule_shift) {
    granule_shift_ = granule_shift;
    ++launch_;
    staged_.resize(2 * kWarpSize);
  }
  /// Cuts the lanes that touch `lines` into segments, in the quickest way. Returns the lanes that touch other memory.
  /// `whole`: there are none, as the span of the addresses shows. Lanes of one store that collide with several values
  /// are added to `conflicts`.
  Mask cut(std::uint64_t block, const RaceAccess& access, const Lines& lines, Mask mask, const Allocation* allocation,
           bool whole, std::vector<Conflict>& conflicts);
  /// What the last one was cut into.
  std::size_t size() const { return staged_count_; }
  Staged& operator[](std::size_t i) { return staged_[i]; }

 private:
  /// How an access was cut the last time (cp.async is two accesses). A loop mostly repeats the distances between its
  /// lanes. Other warps begin elsewhere in a line, at another phase.
  struct Cut {
    std::uint32_t launch = 0;  ///< of an older one: empty
    std::uint32_t instruction = ~0u, bytes = 0, phase = 0, misses = 0;
    Mask mask = 0;
    bool is_one_value = false;  ///< the lanes of this store may collide
    std::array<std::uint32_t, kWarpSize> offset;
    std::vector<Staged> staged;  // lines from the first one's
  };
  Cut& cut_of(const RaceAccess& access, std::uint64_t granule);
  bool stage_as_before(const RaceAccess& access, const Lines& lines, Mask mask);
  void remember_cut(const RaceAccess& access, const Lines& lines, Mask mask);
  Mask stage(std::uint64_t block, const RaceAccess& access, const Lines& lines, Mask mask, const Allocation* allocation,
             std::vector<Conflict>& conflicts);
  void stage_contiguous(const Lines& lines, std::uint64_t address, Mask mask);
  Staged& staged_line(std::uint64_t line);
  static void find_pattern(Staged& staged);
  static void collide(std::uint64_t block, const RaceAccess& access, Staged& staged, std::uint32_t granules,
                      unsigned lane, std::uint64_t address, std::vector<Conflict>& conflicts);

  std::uint32_t granule_shift_ = 2;
  std::uint32_t launch_ = 0;
  std::vector<Staged> staged_;
  std::size_t staged_count_ = 0;
  std::array<Cut, 2048> cuts_;
};

}  // namespace cudasim
