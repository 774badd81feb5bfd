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
    LineAccess& access = block->lines.emplace_back();
    access.line = line & LineAccess::kLineBits;
    access.sectors = sectors;
    access.traffic = static_cast<std::uint8_t>(traffic) & 0xf;
    access.answer = 0;
    access.step = block->warps[warp].steps;
    access.instruction = instruction;
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
