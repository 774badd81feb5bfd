// SPDX-License-Identifier: MIT
// Which accesses come before which: flags, fences and barriers one by one. Then random programs against a model with a
// clock for each warp. The model joins clocks where the PTX memory model says "synchronizes".
#include "checkers/race/shadow/happens_before.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace cudasim {
namespace {

/// One warp a block, of which the first writes and the second reads.
struct HandOver : ::testing::Test {
  HandOver() {
    order.begin_launch(true);
    order.begin_block(writer, 0, 1);
    order.begin_block(reader, 1, 1);
    written = writer.warps[0].now;
  }
  static HappensBefore::Synchronising flag() {
    HappensBefore::Synchronising s;
    s.address = 64;
    return s;
  }
  void write(bool releases = false) {
    auto s = flag();
    s.writes = true;
    s.releases = releases;
    order.access(writer, 0, s);
  }
  void read(bool acquires = false, bool of_block = false) {
    auto s = flag();
    s.reads = true;
    s.acquires = acquires;
    s.of_block = of_block;
    s.instruction = 7;
    order.access(reader, 0, s);
  }
  bool is_known(Clock then) const { return order.ordered(reader, 0, 0, 0, then); }

  HappensBefore order;
  BlockClocks writer, reader;
  Clock written = 0;
};

TEST_F(HandOver, NeedsAReleaseOfTheGrid) {
  write();
  read(true);
  EXPECT_FALSE(is_known(written)) << "without a fence the flag tells nothing";
  order.fence(writer, 0, false);
  write();
  read(true);
  EXPECT_FALSE(is_known(written)) << "a fence of the block only";
  order.fence(writer, 0, true);
  const Clock later = writer.warps[0].now;
  write();
  EXPECT_FALSE(is_known(written)) << "the flag was not read since";
  read(true);
  EXPECT_TRUE(is_known(written));
  EXPECT_FALSE(is_known(later)) << "what comes after the fence is not published";
}

TEST_F(HandOver, NeedsAnAcquireOfTheGrid) {
  write(true);
  order.fence(reader, 0, true);
  read();
  EXPECT_FALSE(is_known(written)) << "a fence before the read";
  EXPECT_EQ(order.unacquired(reader, 0, 0, 0, written), 7u);
  order.fence(reader, 0, false);
  read(true, true);
  EXPECT_FALSE(is_known(written)) << "a fence and an order of the block only";
  order.fence(reader, 0, true);
  EXPECT_TRUE(is_known(written));
}

TEST_F(HandOver, NoFlagThatWasReadIsNothingUnacquired) {
  EXPECT_EQ(order.unacquired(reader, 0, 0, 0, written), 0u);
  write(true);
  const Clock later = writer.warps[0].now;
  read();
  EXPECT_EQ(order.unacquired(reader, 0, 0, 0, later), 0u) << "what comes after the release";
}

TEST_F(HandOver, TheLatestFlagThatWasReadIsTheOneUnacquired) {
  write(true);
  read();
  const Clock later = writer.warps[0].now;
  write(true);
  auto again = flag();
  again.reads = true;
  again.instruction = 8;
  order.access(reader, 0, again);
  EXPECT_EQ(order.unacquired(reader, 0, 0, 0, later), 8u);
}

TEST_F(HandOver, AReleaseIsNoAcquire) {
  write(true);
  auto ticket = flag();
  ticket.reads = ticket.writes = ticket.releases = true;
  order.access(reader, 0, ticket);
  EXPECT_FALSE(is_known(written));
  ticket.acquires = true;
  order.access(reader, 0, ticket);
  EXPECT_TRUE(is_known(written));
}

TEST(HappensBefore, WhatABlockHandedOnInsideGoesOnToOthers) {
  HappensBefore order;
  order.begin_launch(true);
  BlockClocks two, other;
  order.begin_block(two, 0, 2);
  order.begin_block(other, 1, 1);
  const Clock written = two.warps[0].now;
  const auto hand_over = [&](BlockClocks& from, std::uint32_t warp, BlockClocks& to, std::uint32_t reader,
                             bool shared) {
    HappensBefore::Synchronising s;
    s.address = shared ? 64 : 1 << 20;
    s.is_shared = shared;
    s.writes = true;
    order.access(from, warp, s);
    s.reads = s.acquires = true;
    s.writes = false;
    order.access(to, reader, s);
  };
  order.fence(two, 0, false);
  hand_over(two, 0, two, 1, true);
  EXPECT_TRUE(order.ordered(two, 1, 0, 0, written));
  order.fence(two, 1, true);
  hand_over(two, 1, other, 0, false);
  EXPECT_TRUE(order.ordered(other, 0, 0, 0, written));
}

TEST(HappensBefore, ANamedBarrierOrdersItsWarpsOnly) {
  HappensBefore order;
  order.begin_launch(false);
  BlockClocks clocks;
  order.begin_block(clocks, 0, 3);
  const Clock then = clocks.warps[0].now;
  order.open(clocks, 1, 0b011, false);
  EXPECT_TRUE(order.ordered(clocks, 1, 0, 0, then));
  EXPECT_FALSE(order.ordered(clocks, 2, 0, 0, then));
  order.open(clocks, 2, 0b110, false);
  EXPECT_TRUE(order.ordered(clocks, 2, 0, 0, then)) << "through warp 1";
}

TEST(HappensBefore, ABarrierOfSomeLanesOrdersTheseOnly) {
  HappensBefore order;
  order.begin_launch(false);
  BlockClocks clocks;
  order.begin_block(clocks, 0, 3);
  const Clock then = clocks.warps[0].now;
  WarpLanes lower{};
  lower[0] = lower[1] = 0xffff;
  order.open_lanes(clocks, 1, 0, lower);
  EXPECT_FALSE(order.ordered(clocks, 1, 0, 0, then));
  EXPECT_TRUE(clocks.orders_lanes(0, 0x8001, then, 1, 0x8001));
  EXPECT_FALSE(clocks.orders_lanes(0, 0x10000, then, 1, 1)) << "a lane that was not there";
  EXPECT_FALSE(clocks.orders_lanes(0, 1, then, 1, 0x10001));
  EXPECT_FALSE(clocks.orders_lanes(0, 1, clocks.warps[0].now, 1, 1)) << "what comes after the barrier";
  HappensBefore::sync_warp(clocks, 1, ~0u, ~0u);
  EXPECT_TRUE(clocks.orders_lanes(0, 0xffff, then, 1, ~0u)) << "handed on in the warp";
  WarpLanes upper{};
  upper[1] = upper[2] = 0xffff0000;
  HappensBefore::arrive_lanes(clocks, 1, 2, upper[1]);
  upper[1] = 0;
  order.open_lanes(clocks, 2, 0, upper);
  EXPECT_TRUE(clocks.orders_lanes(0, 1, then, 2, 0x80000000)) << "through warp 1";
  EXPECT_FALSE(clocks.orders_lanes(0, 1, then, 2, 1));
}

TEST(HappensBefore, ThreeLanesAreOrderedWhereAllHaveMet) {
  HappensBefore order;
  order.begin_launch(false);
  BlockClocks clocks;
  order.begin_block(clocks, 0, 1);
  const Clock then = clocks.warps[0].now;
  HappensBefore::sync_warp(clocks, 0, 0x201, ~0u);
  EXPECT_FALSE(clocks.orders_lanes(0, 0x221, then, 0, 1)) << "lane 5 was not there";
  HappensBefore::sync_warp(clocks, 0, 0x021, ~0u);
  EXPECT_TRUE(clocks.orders_lanes(0, 0x221, then, 0, 1));
}

/// Blocks of two warps that do one thing after the other. A released value is a clock of each warp, once as threads of
/// the writer's block may know it and once as all may.
class OrderModel {
 public:
  static constexpr std::uint32_t blocks = 3, warps = 2;
  using Known = std::vector<std::uint32_t>;  // by warp: what it did up to then
  OrderModel() : warp_(blocks * warps) {
    for (std::uint32_t w = 0; w < blocks * warps; ++w) {
      for (Known* known : {&warp_[w].known, &warp_[w].fenced_in_block, &warp_[w].fenced_in_grid,
                           &warp_[w].read_in_block, &warp_[w].read_in_grid})
        known->assign(blocks * warps, 0);
    }
  }
  std::uint32_t act(std::uint32_t w) { return ++warp_[w].known[w]; }
  bool ordered(std::uint32_t w, std::uint32_t then_warp, std::uint32_t then) const {
    return warp_[w].known[then_warp] >= then;
  }
  void fence(std::uint32_t w, bool whole_grid) {
    auto& warp = warp_[w];
    join(warp.known, warp.read_in_block);
    if (whole_grid) join(warp.known, warp.read_in_grid);
    release_from(warp, whole_grid);
  }
  void barrier(std::uint32_t block) {
    Known all(blocks * warps, 0), read(blocks * warps, 0);
    for (std::uint32_t w = block * warps; w < (block + 1) * warps; ++w) {
      join(all, warp_[w].known);
      join(all, warp_[w].read_in_block);
      join(read, warp_[w].read_in_grid);
    }
    for (std::uint32_t w = block * warps; w < (block + 1) * warps; ++w) {
      warp_[w].known = all;
      warp_[w].read_in_grid = read;
    }
  }
  void access(std::uint32_t w, const HappensBefore::Synchronising& s) {
    auto& warp = warp_[w];
    auto& place = place_[s.is_shared ? (w / warps + 1) << 20 | s.address : s.address];
    if (s.reads) {
      for (const auto& release : place) {
        const bool own = release.block == w / warps;
        const Known& release_known_to = own ? release.in_block : release.in_grid;
        const bool at_once = s.acquires && (own || !s.of_block);
        join(at_once ? warp.known : own ? warp.read_in_block : warp.read_in_grid, release_known_to);
      }
    }
    if (!s.writes) return;
    if (s.releases) release_from(warp, !s.of_block);
    if (!s.reads) place.clear();  // what it replaces tells nothing any more; an atomic passes it on
    place.push_back({w / warps, warp.fenced_in_block, warp.fenced_in_grid});
  }

 private:
  struct Warp {
    Known known, fenced_in_block, fenced_in_grid, read_in_block, read_in_grid;
  };
  struct Release {
    std::uint32_t block;
    Known in_block, in_grid;
  };
  static void join(Known& into, const Known& from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
  }
  static void release_from(Warp& warp, bool whole_grid) {
    warp.fenced_in_block = warp.known;
    if (whole_grid) warp.fenced_in_grid = warp.known;
  }
  std::vector<Warp> warp_;
  std::map<std::uint64_t, std::vector<Release>> place_;
};

TEST(HappensBefore, MakesNothingUpOnRandomPrograms) {
  std::uint32_t ordered = 0, silent = 0, found = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    OrderModel model;
    HappensBefore order;
    BlockClocks clocks[OrderModel::blocks];
    order.begin_launch(true);
    for (std::uint32_t b = 0; b < OrderModel::blocks; ++b) order.begin_block(clocks[b], b, OrderModel::warps);
    struct Access {
      std::uint32_t block, warp, epoch;
      Clock clock;
    };
    std::vector<Access> past;
    for (unsigned step = 0; step < 60; ++step) {
      const std::uint32_t b = below(OrderModel::blocks), w = below(OrderModel::warps),
                          thread = b * OrderModel::warps + w;
      switch (below(8)) {
        case 0: {
          const bool whole_grid = below(3) != 0;
          model.fence(thread, whole_grid);
          order.fence(clocks[b], w, whole_grid);
          break;
        }
        case 1:
          model.barrier(b);
          order.open(clocks[b], 0, (1u << OrderModel::warps) - 1, true);
          break;
        case 2:
        case 3:
          past.push_back({b, w, model.act(thread), clocks[b].warps[w].now});
          break;
        default: {
          HappensBefore::Synchronising s;
          s.address = 64 * below(2);
          s.is_shared = below(3) == 0;
          s.reads = below(3) != 0;
          s.writes = !s.reads || below(2) == 0;
          s.acquires = s.reads && below(3) == 0;
          s.releases = s.writes && below(3) == 0;
          s.of_block = below(4) == 0;
          if (!s.is_shared) s.address += 1 << 16;
          model.access(thread, s);
          order.access(clocks[b], w, s);
        }
      }
      for (const Access& then : past) {
        const bool known = order.ordered(clocks[b], w, then.block, then.warp, then.clock);
        if (then.block == b && then.warp == w) continue;  // program order
        if (model.ordered(thread, then.block * OrderModel::warps + then.warp, then.epoch)) {
          ASSERT_TRUE(known) << "seed " << seed << " step " << step;
          ++ordered;
        } else {
          ++(known ? silent : found);
        }
      }
    }
  }
  EXPECT_GT(ordered, 10'000u);
  EXPECT_GT(found, 2 * silent) << "releases up to a time are known together: some races are not found";
}

}  // namespace
}  // namespace cudasim
