// SPDX-License-Identifier: MIT
// Vector clocks of warps, which are joined where the program synchronises.
#include "checkers/race/shadow/happens_before.h"

#include <algorithm>
#include <utility>

namespace cudasim {
namespace {

void join(Clocks& into, const Clocks& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// A thread's knowledge of all threads of its block.
void join_thread(Clocks& into, const BlockClocks& clocks, std::uint32_t warp, unsigned lane) {
  const auto& own = clocks.warps[warp];
  const std::size_t thread = std::size_t{warp} * kWarpSize + lane;
  for (std::size_t i = 0; i < into.size(); ++i) {
    Clock known = clocks.lanes->known[thread * clocks.lanes->threads + i];
    const auto w = static_cast<std::uint32_t>(i / kWarpSize);
    if (w != warp) {
      known = std::max(known, own.known[w]);
    } else {
      known = std::max(known, i == thread ? own.now : own.pair ? (*own.pair)[lane][i % kWarpSize] : 0);
      known = std::max(known, own.lanes);
    }
    into[i] = std::max(into[i], known);
  }
}

/// All lanes that meet know what each of them knows.
void meet(BlockClocks& clocks, Clocks& joined, const WarpLanes& lanes) {
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    for (Mask m = lanes[w]; m != 0; m &= m - 1) join_thread(joined, clocks, w, static_cast<unsigned>(__builtin_ctz(m)));
  }
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    for (Mask m = lanes[w]; m != 0; m &= m - 1) {
      const std::size_t thread = std::size_t{w} * kWarpSize + static_cast<unsigned>(__builtin_ctz(m));
      std::copy(joined.begin(), joined.end(),
                clocks.lanes->known.begin() + static_cast<std::ptrdiff_t>(thread * joined.size()));
    }
  }
}

BlockClocks::LaneClocks& lane_clocks(BlockClocks& clocks) {
  if (!clocks.lanes) {
    clocks.lanes = std::make_unique<BlockClocks::LaneClocks>();
    clocks.lanes->threads = clocks.warps.size() * kWarpSize;
    clocks.lanes->known.assign(clocks.lanes->threads * clocks.lanes->threads, 0);
  }
  return *clocks.lanes;
}

std::uint64_t time_of(const std::unordered_map<std::uint64_t, std::uint64_t>& published, std::uint64_t address) {
  if (published.empty()) return 0;
  const auto found = published.find(address);
  return found == published.end() ? 0 : found->second;
}

}  // namespace

bool BlockClocks::orders_lanes(std::uint32_t earlier, Mask then, Clock clock, std::uint32_t warp,
                               Mask lanes_now) const {
  const auto* const pair = earlier == warp ? warps[warp].pair.get() : nullptr;
  if (pair == nullptr && lanes == nullptr) return earlier == warp && then == lanes_now && (then & (then - 1)) == 0;
  for (Mask m = lanes_now; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (Mask n = then; n != 0; n &= n - 1) {
      const auto other = static_cast<unsigned>(__builtin_ctz(n));
      if (earlier == warp && lane == other) continue;
      if (pair != nullptr && (*pair)[lane][other] >= clock) continue;
      if (lanes != nullptr && lanes->known[(std::size_t{warp} * kWarpSize + lane) * lanes->threads +
                                           std::size_t{earlier} * kWarpSize + other] >= clock)
        continue;
      return false;
    }
  }
  return true;
}

void BlockClocks::Unacquired::join(const Unacquired& other) {
  if (std::max(other.in_block, other.in_grid) >= std::max(in_block, in_grid)) instruction = other.instruction;
  in_block = std::max(in_block, other.in_block);
  in_grid = std::max(in_grid, other.in_grid);
}

/// Everything of the block that is ordered before the warp's next access, its own accesses included.
Clocks HappensBefore::snapshot(const BlockClocks& clocks, std::uint32_t index) const {
  const auto& warp = clocks.warps[index];
  Clocks known = warp.known;
  for (Clock& c : known) c = std::max(c, clocks.everyone);
  if (const Release* known_releases = release_known_to(clocks.block, warp.known_releases))
    join(known, known_releases->in_block);
  known[index] = warp.now;
  return known;
}

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
    warp.known_releases = 0;
    warp.unacquired = {};
    warp.known.assign(warps, 0);
    warp.fenced_in_block.clear();
    warp.fenced_in_grid.clear();
    warp.fences = 0;
    warp.pair.reset();
  }
  clocks.barriers = {};
  clocks.lanes.reset();
  clocks.published.clear();
}

void HappensBefore::sync_warp(BlockClocks& clocks, std::uint32_t index, Mask mask, Mask live) {
  auto& warp = clocks.warps[index];
  if (clocks.lanes) {
    Clocks joined(clocks.lanes->threads, 0);
    WarpLanes lanes{};
    lanes[index] = mask;
    meet(clocks, joined, lanes);
  }
  if ((live & ~mask) == 0) {
    warp.lanes = warp.now++;
    warp.pair.reset();  // all older than `lanes`
    return;
  }
  if (!warp.pair) {
    warp.pair = std::make_unique<std::array<std::array<Clock, kWarpSize>, kWarpSize>>();
    for (auto& row : *warp.pair) row.fill(0);
  }
  std::array<Clock, kWarpSize> joined{};
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned j = 0; j < kWarpSize; ++j) joined[j] = std::max(joined[j], (*warp.pair)[lane][j]);
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
  // A barrier is a fence of the block.
  gathering.known_releases = std::max({gathering.known_releases, warp.known_releases, warp.unacquired.in_block});
  gathering.unacquired.join(warp.unacquired);
  ++warp.now;
}

void HappensBefore::arrive_lanes(BlockClocks& clocks, std::uint32_t index, std::uint32_t barrier, Mask lanes) {
  auto& order = lane_clocks(clocks);
  Clocks& arrived = order.arrived[barrier];
  arrived.resize(order.threads);
  for (Mask m = lanes; m != 0; m &= m - 1) join_thread(arrived, clocks, index, static_cast<unsigned>(__builtin_ctz(m)));
  ++clocks.warps[index].now;
}

void HappensBefore::open_lanes(BlockClocks& clocks, std::uint32_t barrier, std::uint32_t whole_warps,
                               const WarpLanes& lanes) {
  auto& order = lane_clocks(clocks);
  Clocks joined = std::exchange(order.arrived[barrier], {});
  joined.resize(order.threads);
  // Whole warps that have come without waiting.
  const Clocks& gathered = clocks.barriers[barrier].known;
  for (std::size_t i = 0; i < gathered.size() * kWarpSize; ++i)
    joined[i] = std::max(joined[i], gathered[i / kWarpSize]);
  meet(clocks, joined, lanes);
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    if (lanes[w] != 0 && ((whole_warps >> w) & 1) == 0) ++clocks.warps[w].now;
  }
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
  // Warps that have exited the kernel count as arrived: hardware counts them so.
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    if (all || ((warps >> w) & 1) != 0) arrive(clocks, w, barrier);
  }
  const auto& gathered = clocks.barriers[barrier];
  for (std::uint32_t w = 0; w < clocks.warps.size(); ++w) {
    auto& warp = clocks.warps[w];
    if (!all && ((warps >> w) & 1) == 0) continue;
    warp.known = gathered.known;
    warp.lanes = warp.now - 1;
    warp.known_releases = gathered.known_releases;
    warp.unacquired = gathered.unacquired;
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
  warp.known_releases =
      std::max({warp.known_releases, warp.unacquired.in_block, whole_grid ? warp.unacquired.in_grid : 0});
  publish(warp, snapshot(clocks, index), whole_grid);
}

/// What comes before is ordered before every thread that acquires what the warp writes from here on.
void HappensBefore::publish(BlockClocks::Warp& warp, Clocks&& snapshot, bool whole_grid) {
  warp.fenced_in_block = std::move(snapshot);
  if (whole_grid) warp.fenced_in_grid = warp.fenced_in_block;
  ++warp.fences;
  ++warp.now;
}

/// The time of a release that covers all that the warp has fenced, or 0 when it has fenced nothing.
std::uint64_t HappensBefore::release(BlockClocks& clocks, std::uint32_t index, const Synchronising& access) {
  auto& warp = clocks.warps[index];
  if (access.releases) publish(warp, snapshot(clocks, index), true);
  if (warp.fenced_in_block.empty()) return 0;
  auto& list = releases_[clocks.block];
  if (!list.empty() && list.back().by.warp == index && list.back().fences == warp.fences) return list.back().time;
  Release next;
  next.time = ++time_;
  next.by = {index, access.lane, access.instruction};
  for (const auto& each : clocks.warps) next.now.push_back(each.now);
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
  if (access.reads) {
    auto& warp = clocks.warps[index];
    const BlockClocks::Unacquired read{time_of(clocks.published, access.address),
                                       access.is_shared ? 0 : time_of(published_, access.address), access.instruction};
    if (access.acquires)
      warp.known_releases = std::max({warp.known_releases, read.in_block, access.of_block ? 0 : read.in_grid});
    if (!access.acquires || access.of_block) warp.unacquired.join(read);
  }
  if (!access.writes) return;
  const std::uint64_t time = release(clocks, index, access);
  if (time == 0) return;
  const auto note = [&](std::uint64_t& last) { last = std::max(last, time); };
  note(clocks.published[access.address]);
  if (!access.is_shared) note(published_[access.address]);
}

const HappensBefore::Release* HappensBefore::release_known_to(std::uint64_t block, std::uint64_t time) const {
  if (time == 0) return nullptr;
  const auto found = releases_.find(block);
  if (found == releases_.end()) return nullptr;
  const auto& list = found->second;
  const auto after = std::upper_bound(list.begin(), list.end(), time,
                                      [](std::uint64_t t, const Release& release) { return t < release.time; });
  return after == list.begin() ? nullptr : &*std::prev(after);
}

bool HappensBefore::known_by_release(const BlockClocks& clocks, std::uint64_t time, std::uint64_t block,
                                     std::uint32_t warp, Clock then) const {
  const Release* last = release_known_to(block, time);
  if (last == nullptr) return false;
  const Clocks& known = block == clocks.block ? last->in_block : last->in_grid;
  return warp < known.size() && known[warp] >= then;
}

std::uint32_t HappensBefore::unacquired(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block,
                                        std::uint32_t warp, Clock then) const {
  const auto& unacquired = clocks.warps[reader].unacquired;
  const std::uint64_t time = std::max(unacquired.in_block, unacquired.in_grid);
  return known_by_release(clocks, time, block, warp, then) ? unacquired.instruction : 0;
}

HappensBefore::Releaser HappensBefore::releaser(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block,
                                                std::uint32_t warp, Clock then) const {
  const auto& own = clocks.warps[reader];
  const Release* const last = release_known_to(block, std::max(own.known_releases, own.unacquired.in_grid));
  return last == nullptr || last->by.warp == warp || then > last->now[warp] ? Releaser{} : last->by;
}

bool HappensBefore::ordered(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block, std::uint32_t warp,
                            Clock then) const {
  if (block == clocks.block) {
    if (then <= clocks.everyone) return true;
    const auto& own = clocks.warps[reader];
    if (warp == reader ? then <= own.lanes : then <= own.known[warp]) return true;
  }
  const std::uint64_t known_releases = clocks.warps[reader].known_releases;
  return known_releases != 0 && known_by_release(clocks, known_releases, block, warp, then);
}

}  // namespace cudasim
