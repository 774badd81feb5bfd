// SPDX-License-Identifier: MIT
// Clocks of warps: vectors that are joined where the program synchronises.
#include "observers/happens_before.h"

#include <algorithm>

namespace cudasim {
namespace {

void join(Clocks& into, const Clocks& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// All that is ordered before the warp's next access, its own accesses included.
Clocks snapshot(const BlockClocks& clocks, std::uint32_t warp) {
  Clocks known = clocks.warps[warp].known;
  for (Clock& c : known) c = std::max(c, clocks.everyone);
  known[warp] = clocks.warps[warp].now;
  return known;
}

}  // namespace

void HappensBefore::begin_launch(bool fences) {
  fences_ = fences;
  time_ = 0;
  published_.clear();
  releases_.clear();
}

void HappensBefore::begin_block(BlockClocks& clocks, std::uint64_t block, std::uint32_t warps) const {
  clocks.block = block;
  clocks.everyone = 0;
  clocks.warps.resize(warps);
  for (auto& warp : clocks.warps) {
    warp.now = 1;
    warp.lanes = 0;
    warp.heard = 0;
    warp.known.assign(warps, 0);
    warp.fenced_in_block.clear();
    warp.fenced_in_grid.clear();
    warp.fences = 0;
    warp.pair.reset();
  }
  clocks.barriers = {};
  clocks.published.clear();
}

void HappensBefore::sync_warp(BlockClocks& clocks, std::uint32_t index, Mask mask, Mask live) {
  auto& warp = clocks.warps[index];
  if ((live & ~mask) == 0) {
    warp.lanes = warp.now++;
    warp.pair.reset();  // all older than `lanes`
    return;
  }
  if (!warp.pair) {
    warp.pair = std::make_unique<std::array<std::array<Clock, warp_size>, warp_size>>();
    for (auto& row : *warp.pair) row.fill(0);
  }
  std::array<Clock, warp_size> joined{};
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned j = 0; j < warp_size; ++j) joined[j] = std::max(joined[j], (*warp.pair)[lane][j]);
    joined[lane] = warp.now;
  }
  for (Mask m = mask; m != 0; m &= m - 1) (*warp.pair)[static_cast<std::size_t>(__builtin_ctz(m))] = joined;
  ++warp.now;
}

void HappensBefore::arrive(BlockClocks& clocks, std::uint32_t index, std::uint32_t barrier) const {
  auto& warp = clocks.warps[index];
  auto& gathering = clocks.barriers[barrier];
  join(gathering.known, snapshot(clocks, index));
  join(gathering.fenced_in_block, warp.fenced_in_block);
  join(gathering.fenced_in_grid, warp.fenced_in_grid);
  gathering.heard = std::max(gathering.heard, warp.heard);
  ++warp.now;
}

void HappensBefore::open(BlockClocks& clocks, std::uint32_t barrier, std::uint32_t warps, bool all) const {
  if (all && !fences_) {
    Clock latest = 0;
    for (const auto& warp : clocks.warps) latest = std::max(latest, warp.now);
    clocks.everyone = latest;
    for (auto& warp : clocks.warps) warp.now = latest + 1;
    clocks.barriers[barrier] = {};
    return;
  }
  // Warps that have left the kernel count as having come: hardware counts them so.
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    if (all || ((warps >> w) & 1) != 0) arrive(clocks, w, barrier);
  }
  const auto& gathered = clocks.barriers[barrier];
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    auto& warp = clocks.warps[w];
    if (!all && ((warps >> w) & 1) == 0) continue;
    warp.known = gathered.known;
    warp.lanes = warp.now - 1;
    warp.heard = gathered.heard;
    if (gathered.fenced_in_block.empty()) continue;
    if (warp.fenced_in_block != gathered.fenced_in_block || warp.fenced_in_grid != gathered.fenced_in_grid)
      ++warp.fences;
    warp.fenced_in_block = gathered.fenced_in_block;
    warp.fenced_in_grid = gathered.fenced_in_grid;
  }
  clocks.barriers[barrier] = {};
}

void HappensBefore::fence(BlockClocks& clocks, std::uint32_t index, bool whole_grid) const {
  auto& warp = clocks.warps[index];
  warp.fenced_in_block = snapshot(clocks, index);
  if (whole_grid) warp.fenced_in_grid = warp.fenced_in_block;
  ++warp.fences;
  ++warp.now;
}

/// The time of a release that tells of all that the warp has fenced, or 0 when it has fenced nothing.
std::uint64_t HappensBefore::release(BlockClocks& clocks, std::uint32_t index, bool by_itself) {
  auto& warp = clocks.warps[index];
  if (by_itself) fence(clocks, index, true);
  if (warp.fenced_in_block.empty()) return 0;
  auto& list = releases_[clocks.block];
  if (!list.empty() && list.back().warp == index && list.back().fences == warp.fences) return list.back().time;
  Release next;
  next.time = ++time_;
  next.warp = index;
  next.fences = warp.fences;
  next.in_block = warp.fenced_in_block;
  next.in_grid = warp.fenced_in_grid;
  if (!list.empty()) {
    join(next.in_block, list.back().in_block);
    join(next.in_grid, list.back().in_grid);
  }
  list.push_back(std::move(next));
  return time_;
}

void HappensBefore::access(BlockClocks& clocks, std::uint32_t index, const Synchronising& access) {
  if (!fences_) return;
  auto& published = access.is_shared ? clocks.published : published_;
  if (access.reads && !published.empty()) {
    const auto found = published.find(access.address);
    if (found != published.end()) {
      auto& heard = clocks.warps[index].heard;
      heard = std::max(heard, found->second);
    }
  }
  if (!access.writes) return;
  const std::uint64_t time = release(clocks, index, access.releases);
  if (time == 0) return;
  auto& last = published[access.address];
  last = std::max(last, time);
}

bool HappensBefore::known_by_release(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block,
                                     std::uint32_t warp, Clock then) const {
  const std::uint64_t heard = clocks.warps[reader].heard;
  if (heard == 0) return false;
  const auto found = releases_.find(block);
  if (found == releases_.end()) return false;
  const auto& list = found->second;
  const auto after = std::upper_bound(list.begin(), list.end(), heard,
                                      [](std::uint64_t time, const Release& release) { return time < release.time; });
  if (after == list.begin()) return false;
  const Release& last = *std::prev(after);
  const Clocks& told = block == clocks.block ? last.in_block : last.in_grid;
  return warp < told.size() && told[warp] >= then;
}

bool HappensBefore::ordered(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block, std::uint32_t warp,
                            Clock then) const {
  if (block == clocks.block) {
    if (then <= clocks.everyone) return true;
    const auto& own = clocks.warps[reader];
    if (warp == reader ? then <= own.lanes : then <= own.known[warp]) return true;
  }
  return known_by_release(clocks, reader, block, warp, then);
}

}  // namespace cudasim
