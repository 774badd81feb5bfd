// SPDX-License-Identifier: MIT
// What a worker's loads and stores of global memory touch: lines, sectors that are stored whole or in part, and which
// sectors there are at all.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "timing/caches/line_sink.h"
#include "timing/parts_by_address.h"

namespace cudasim {

class GlobalAccesses {
 public:
  struct Totals {
    std::uint64_t load_lines = 0, store_lines = 0;  ///< 128 bytes each, distinct in a request, summed
    std::uint64_t load_passes = 0;  ///< over the 32 banks of the L1, which answer one word each at a time
    std::uint64_t whole_sectors = 0, partial_sectors = 0;
    std::uint64_t random_loads = 0;                         ///< requests with more than 16 lines
    std::uint64_t load_footprint = 0, store_footprint = 0;  ///< distinct sectors of 32 bytes in all requests
  };

  /// A request for all bytes from `begin` to `end`, which are not many.
  void coalesced(bool is_store, std::uint64_t begin, std::uint64_t end);
  /// The lines of a request, by their distances from the line of some address.
  struct Pattern {
    std::uint32_t phase;  ///< of that address in its line
    std::uint8_t lines;   ///< 0: not known
    std::uint8_t whole_sectors, partial_sectors;
    std::uint8_t passes;              ///< over the banks
    std::uint8_t sectors[kWarpSize];  ///< by line, a bit each
    std::int64_t distance[kWarpSize];
  };
  /// Lanes that lie anywhere; each element has at most 32 bytes at a multiple of its size.
  static void find_pattern(Pattern& pattern, bool is_store, std::uint64_t from, const std::uint64_t* address,
                           std::uint32_t bytes, Mask mask);
  /// A request of such lanes. `from` has the phase of the pattern.
  void apart(bool is_store, std::uint64_t from, const Pattern& pattern);
  void apart(bool is_store, const std::uint64_t* address, std::uint32_t bytes, Mask mask);
  /// A sector is read and written by an atomic.
  void update(std::uint64_t address);
  /// Each sector of a request of atomics, and the request's end.
  void sample_update(std::uint64_t address) {
    if (!is_sampled()) return;
    const std::uint64_t sector = address >> kSectorBits;
    sink->add_range(sector, sector, Traffic::update);
  }
  void end_updates() {
    if (is_sampled()) sink->end_request();
  }

  LineSink* sink = nullptr;  ///< Null: nobody else wants to know the lines.

  void add(const GlobalAccesses& other);
  Totals totals() const;
  /// Distinct sectors that are read or written.
  std::uint64_t footprint() const;
  /// Sectors that are read from DRAM, which gives two at a time, as far as they are not among those of `before`.
  std::uint64_t fetched(const GlobalAccesses* before) const;

 private:
  static constexpr unsigned kGranuleBits = 20, kLineBits = 7, kSectorBits = 5;
  /// What all requests have touched of a line: its sectors, a bit each.
  struct Line {
    std::uint32_t last_request = 0;  ///< of lanes that lie apart
    std::uint8_t load = 0, store = 0;
  };
  struct Lines {
    static constexpr std::size_t kCount = std::size_t{1} << (kGranuleBits - kLineBits);
    Line of[kCount];
  };
  Line& line_at(std::uint64_t address) { return lines_.at(address).of[address >> kLineBits & (Lines::kCount - 1)]; }

  void load_of_line(std::uint64_t begin, std::uint64_t end);

  bool is_sampled() const { return sink != nullptr && sink->block != nullptr; }

  Totals totals_;
  PartsByAddress<Lines, kGranuleBits> lines_;
  std::uint32_t request_ = 0;
};

}  // namespace cudasim
