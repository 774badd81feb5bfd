// SPDX-License-Identifier: MIT
// Asynchronous copies on their way (cp.async). One takes effect when it is waited for, as late as a GPU may make it:
// who reads its destination before, or changes its source meanwhile, sees what such a program may see.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "state/lane_addresses.h"

namespace cudasim {

/// What one instruction of a warp has started and not all lanes have waited for.
struct PendingCopy {
  Mask lanes = 0;              ///< whose copy is still on its way
  std::uint32_t group = 0;     ///< the how-manieth of these lanes, committed or to be
  std::uint64_t number = 0;    ///< in the warp
  std::uint64_t in_block = 0;  ///< likewise, from 1 on
  const MicroOp* op = nullptr;
  Located from, to;    ///< `from`: of the lanes that read all bytes
  Mask shortened = 0;  ///< the others: they read so many bytes from here, and zeros follow
  std::uint8_t bytes[warp_size];
  std::uint64_t source[warp_size];
};

/// An arrival at an mbarrier, due when all copies that its lanes had started before have been made.
struct PendingArrival {
  Mask lanes = 0;
  std::uint64_t number = 0;  ///< of the first copy that came later
  const MicroOp* op = nullptr;
  Located barrier;
};

struct WarpCopies {
  std::vector<PendingCopy> pending;  ///< oldest first
  std::size_t first = 0;             ///< of those in `pending` that are left
  std::vector<PendingArrival> arrivals;
  std::uint32_t committed[warp_size] = {};  ///< groups, by lane
  std::uint64_t started = 0;

  void clear() {
    pending.clear();
    arrivals.clear();
    first = 0;
    std::fill(std::begin(committed), std::end(committed), 0u);
  }
  PendingCopy& start() {
    // What is done is removed many at a time.
    constexpr std::size_t worth_moving = 64;
    while (first < pending.size() && pending[first].lanes == 0) ++first;
    if (first == pending.size() || first > std::max(worth_moving, pending.size() / 2)) {
      pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
    pending.emplace_back();
    pending.back().number = started++;
    return pending.back();
  }
};

}  // namespace cudasim
