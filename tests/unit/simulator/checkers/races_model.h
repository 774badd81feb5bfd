// SPDX-License-Identifier: MIT
// The slow reference of the race checker: every access is kept for ever, with a clock for each thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "checkers/race/shadow/race_checker.h"

namespace cudasim::test {

inline constexpr std::uint32_t warps = 2, blocks = 4, threads = blocks * warps * kWarpSize;

/// Vector clocks of threads, all accesses kept.
class Model {
 public:
  Model() : clocks_(threads, std::vector<std::uint32_t>(threads, 0)) {
    for (std::uint32_t t = 0; t < threads; ++t) clocks_[t][t] = 1;
  }
  static std::uint32_t thread(std::uint32_t block, std::uint32_t warp, std::uint32_t lane) {
    return (block * warps + warp) * kWarpSize + lane;
  }
  void sync(const std::vector<std::uint32_t>& group) {
    std::vector<std::uint32_t> joined(threads, 0);
    for (const auto t : group) {
      for (std::uint32_t i = 0; i < threads; ++i) joined[i] = std::max(joined[i], clocks_[t][i]);
    }
    for (const auto t : group) {
      clocks_[t] = joined;
      ++clocks_[t][t];
    }
  }
  /// All lanes of one instruction; returns the granules at which some pair races. An atomic whose result is used knows
  /// that the atomics of its granule so far are done, and so does who knows of that atomic.
  std::set<std::uint32_t> access(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& thread_and_granule,
                                 AccessKind kind) {
    std::set<std::uint32_t> races;
    for (const auto& [t, granule] : thread_and_granule) {
      auto& history = history_[granule];
      bool observed = false;
      for (auto old = history.rbegin(); old != history.rend(); ++old) {
        const bool before = old->thread == t || old->clock <= clocks_[t][old->thread];
        observed |= before && old->kind.atomic && old->kind.observes;
        const bool ordered = before || (observed && old->kind.atomic);
        if (!ordered && (old->kind.store || kind.store) && !(old->kind.atomic && kind.atomic)) races.insert(granule);
      }
      history.push_back({t, clocks_[t][t], kind});
    }
    return races;
  }

 private:
  struct Access {
    std::uint32_t thread, clock;
    AccessKind kind;
  };
  std::vector<std::vector<std::uint32_t>> clocks_;
  std::map<std::uint32_t, std::vector<Access>> history_;
};

inline AccessKind load() { return {}; }
inline AccessKind store() {
  AccessKind kind;
  kind.store = true;
  return kind;
}
inline AccessKind reduction() {
  AccessKind kind = store();
  kind.atomic = true;
  return kind;
}
inline AccessKind atomic() {
  AccessKind kind = reduction();
  kind.observes = true;
  return kind;
}
inline AccessKind strong(AccessKind kind) {
  kind.strong = true;
  kind.observes = !kind.store;
  return kind;
}

}  // namespace cudasim::test
