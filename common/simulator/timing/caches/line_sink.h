// SPDX-License-Identifier: MIT
// Keeps some of the lines of global memory that sampled blocks touch which nothing watches. What counts their accesses
// hands the lines over.
#pragma once

#include <cstdint>

#include "timing/caches/block_trace.h"

namespace cudasim {

struct LineSink {
  BlockTrace* block = nullptr;  ///< the one whose turn it is; null: it is not sampled
  unsigned halvings = 0;
  std::uint32_t warp = 0;         ///< whose turn it is
  std::uint32_t instruction = 0;  ///< MicroOp::counter of the request

  void add(std::uint64_t line, SectorMask sectors, Traffic traffic) {
    constexpr std::uint8_t kBits[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    (traffic == Traffic::store ? block->store_sectors : block->load_sectors) += kBits[sectors];
    if (!is_drawn(line, halvings) || block->lines.size() >= BlockTrace::kMostLines) return;
    if (block->detail != BlockTrace::Detail::some_lines) merge(line, sectors, traffic);
    LineAccess& access = block->lines.emplace_back();
    access.line = line & LineAccess::kLineBits;
    access.sectors = sectors;
    access.traffic = static_cast<std::uint8_t>(traffic) & 0xf;
    access.answer = 0;
    access.step = block->warps[warp].steps;
    access.instruction = instruction;
  }
  /// The L1 puts a warp's stores to a sector together, as long as the warp reads nothing from global memory between
  /// them: on an H200 stores 1,000 cycles apart are still one, and those with a read between them are not.
  void merge(std::uint64_t line, SectorMask sectors, Traffic traffic) {
    constexpr std::size_t kMostLines = 128;
    auto& stored = block->warps[warp].stored;
    if (traffic == Traffic::load || traffic == Traffic::load_past_l1) stored.clear();
    if (traffic != Traffic::store) return;
    const auto count = [](unsigned some) { return static_cast<std::uint64_t>(__builtin_popcount(some)); };
    block->kept_store_sectors += count(sectors);
    for (auto at = stored.rbegin(); at != stored.rend(); ++at) {
      if (at->line != line) continue;
      const unsigned both = at->sectors & sectors;
      block->merged += count(both);
      block->filled += count(both & ~unsigned{at->again});
      at->again = static_cast<SectorMask>(at->again | both);
      at->sectors = static_cast<SectorMask>(at->sectors | sectors);
      return;
    }
    if (stored.size() == kMostLines) stored.erase(stored.begin(), stored.begin() + kMostLines / 2);
    stored.push_back({line, sectors, 0});
  }
  /// All sectors from `first` to `last`, which are neighbours.
  void add_range(std::uint64_t first, std::uint64_t last, Traffic traffic) {
    for (std::uint64_t line = first / kSectorsPerLine; line <= last / kSectorsPerLine; ++line) {
      const std::uint64_t from = line == first / kSectorsPerLine ? first % kSectorsPerLine : 0;
      const std::uint64_t to = line == last / kSectorsPerLine ? last % kSectorsPerLine : kSectorsPerLine - 1;
      add(line, static_cast<SectorMask>((2u << to) - (1u << from)), traffic);
    }
  }
  void end_request() { ++block->warps[warp].steps; }
};

}  // namespace cudasim
