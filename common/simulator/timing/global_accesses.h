// SPDX-License-Identifier: MIT
// What a worker's loads and stores of global memory touch: lines, sectors that are stored whole or in part, and which
// sectors there are at all.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
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

  void add(const GlobalAccesses& other);
  Totals totals() const;

 private:
  static constexpr unsigned kGranuleBits = 20, kSectorBits = 5, kLineBits = 7;
  struct Touched {
    static constexpr std::size_t kWords = (std::size_t{1} << (kGranuleBits - kSectorBits)) / 64;
    std::uint64_t load[kWords] = {}, store[kWords] = {};
  };
  void touch(bool is_store, std::uint64_t first_sector, std::uint64_t last_sector);

  Totals totals_;
  PartsByAddress<Touched, kGranuleBits> touched_;
};

}  // namespace cudasim
