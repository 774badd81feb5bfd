// SPDX-License-Identifier: MIT
// The race checker's input, an access, and its output, a race.
#pragma once

#include <cstdint>

#include "checkers/race/shadow/shadow_lines.h"
#include "vector/lane_kernels.h"

namespace cudasim {

enum class Ordering : std::uint8_t;

/// One access of a warp.
struct RaceAccess {
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;
  std::uint32_t bytes = 0;  ///< a lane
  AccessKind kind;
  Ordering ordering;
  bool is_shared = false;
  bool is_one_value = false;  ///< A plain store of one value by all lanes: those that collide do not race.
  /// Where the lanes lie: either of these, or lane i touches the 4 bytes at `first` + 4 * i.
  const Span* span = nullptr;
  const std::uint64_t* address = nullptr;
  std::uint64_t first = 0;
  std::uint64_t address_of(unsigned lane) const {
    return span != nullptr ? span->least + span->offset[lane] : address != nullptr ? address[lane] : first + 4 * lane;
  }
};
/// One pair of accesses that nothing orders.
struct Conflict {
  Segment earlier;                   ///< In the order of this run; another run may have the other order.
  std::uint64_t address = 0;         ///< That of the first granule concerned.
  std::uint64_t access_address = 0;  ///< That of the later lane's whole access.
  std::uint32_t bytes = 0;
  unsigned earlier_lane = 0, lane = 0;
  bool same_instruction = false;  ///< two lanes of one store
  /// Which granules from `address` on both have touched, and the bytes of one. 0: the whole access.
  std::uint32_t granules = 0, granule_bytes = 0;
};

}  // namespace cudasim
