// SPDX-License-Identifier: MIT
// Asynchronous copies under way (cp.async). The simulator makes a copy when the program waits for it, as late as a GPU
// may. An earlier read of its destination, or a later write to its source, then sees what such a program may see.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "state/lane_addresses.h"

namespace cudasim {

/// What one instruction of a warp has started, for the lanes that have not waited for it yet.
struct PendingCopy {
  Mask lanes = 0;              ///< The lanes whose copy is still under way.
  std::uint32_t group = 0;     ///< The number of the group of these lanes, committed or open.
  std::uint64_t number = 0;    ///< Its number in the warp.
  std::uint64_t in_block = 0;  ///< Its number in the block, from 1 on.
  const MicroOp* op = nullptr;
  LaneAddresses from, to;  ///< `from`: of the lanes that read all bytes.
  Mask shortened = 0;      ///< The other lanes: they read so many bytes from here, and zeros follow.
  std::uint8_t bytes[kWarpSize];
  std::uint64_t source[kWarpSize];
};

/// An arrival at an mbarrier. It is due when all copies that its lanes started before it are made.
struct PendingArrival {
  Mask lanes = 0;
  std::uint64_t number = 0;  ///< of the first copy that came later
  const MicroOp* op = nullptr;
  LaneAddresses barrier;
};

struct WarpCopies {
  std::vector<PendingCopy> pending;  ///< oldest first
  std::size_t first = 0;             ///< Index of the first one left in `pending`.
  std::vector<PendingArrival> arrivals;
  std::uint32_t committed[kWarpSize] = {};  ///< groups, by lane
  std::uint64_t started = 0;
  std::uint32_t under_way = 0;  ///< copies that some lane has still to wait for

  void clear() {
    pending.clear();
    arrivals.clear();
    first = 0;
    under_way = 0;
    std::fill(std::begin(committed), std::end(committed), 0u);
  }
  PendingCopy& start() {
    // Finished copies are removed many at a time.
    constexpr std::size_t kWorthMoving = 64;
    while (first < pending.size() && pending[first].lanes == 0) ++first;
    if (first == pending.size() || first > std::max(kWorthMoving, pending.size() / 2)) {
      pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
    pending.emplace_back();
    pending.back().number = started++;
    return pending.back();
  }
};

}  // namespace cudasim
