// SPDX-License-Identifier: MIT
// What a worker's loads and stores of global memory touch: lines, sectors that are stored whole or in part, and which
// sectors there are at all.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "timing/line_sink.h"
#include "timing/parts_by_address.h"

namespace cudasim {

class GlobalAccesses {
 public:
  struct Totals {
    std::uint64_t load_lines = 0, store_lines = 0;  ///< 128 bytes each, distinct in a request, summed
    std::uint64_t whole_sectors = 0, partial_sectors = 0;
    std::uint64_t random_loads = 0;                         ///< requests with more than 16 lines
    std::uint64_t load_footprint = 0, store_footprint = 0;  ///< distinct sectors of 32 bytes in all requests
  };

  /// A request for all bytes from `begin` to `end`, which are not many.
  void coalesced(bool is_store, std::uint64_t begin, std::uint64_t end);
  /// A request of lanes that lie anywhere; each element has at most 16 bytes at a multiple of its size.
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
  static constexpr unsigned kGranuleBits = 20, kSectorBits = 5, kLineBits = 7;
  struct Touched {
    static constexpr std::size_t kWords = (std::size_t{1} << (kGranuleBits - kSectorBits)) / 64;
    std::uint64_t load[kWords] = {}, store[kWords] = {};
  };
  bool is_sampled() const { return sink != nullptr && sink->block != nullptr; }
  void touch_line(const std::uint64_t* address, Mask mask);
  void touch(bool is_store, std::uint64_t first_sector, std::uint64_t last_sector);

  Totals totals_;
  PartsByAddress<Touched, kGranuleBits> touched_;
};

}  // namespace cudasim
