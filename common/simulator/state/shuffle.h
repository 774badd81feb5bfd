// SPDX-License-Identifier: MIT
// Which lane a shuffle reads.
#pragma once

#include <cstdint>

#include "program/program.h"

namespace cudasim {

/// The lane from which `lane` reads, and whether that lane is within its segment (PTX ISA, "shfl.sync").
inline unsigned shuffle_source(WarpOperation::Mode mode, unsigned lane, std::uint32_t b, std::uint32_t c,
                               bool& in_range) {
  using Mode = WarpOperation::Mode;
  const unsigned lane_offset = b & 0x1f, clamp = c & 0x1f, segment = (c >> 8) & 0x1f;
  const unsigned max_lane = (lane & segment) | (clamp & ~segment);
  const unsigned min_lane = lane & segment;
  unsigned j = 0;
  switch (mode) {
    case Mode::shuffle_up:
      j = lane - lane_offset;
      in_range = static_cast<int>(j) >= static_cast<int>(max_lane);
      break;
    case Mode::shuffle_down:
      j = lane + lane_offset;
      in_range = j <= max_lane;
      break;
    case Mode::shuffle_butterfly:
      j = lane ^ lane_offset;
      in_range = j <= max_lane;
      break;
    default:
      j = min_lane | (lane_offset & ~segment);
      in_range = j <= max_lane;
      break;
  }
  return in_range ? j : lane;
}

/// Whether CUDA's width of a shuffle, as PTX has it, is a power of two up to 32.
inline bool is_shuffle_width(std::uint32_t c) {
  const std::uint32_t without = c >> 8;  // 32 minus the width
  return without == 0 || (without < kWarpSize && ((kWarpSize - without) & (kWarpSize - without - 1)) == 0);
}

}  // namespace cudasim
