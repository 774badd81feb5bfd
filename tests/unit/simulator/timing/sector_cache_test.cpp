// SPDX-License-Identifier: MIT
// The caches on streams whose hits are known.
#include "timing/sector_cache.h"

#include <gtest/gtest.h>

#include "timing/cache_replay.h"

namespace cudasim {
namespace {

TEST(SectorCache, FetchesTheMissingSectorsAlone) {
  SectorCache cache(64, 4, SectorCache::Sets::in_turn, 1);
  EXPECT_EQ(cache.read(5, 0b0011, 1).hit, 0);
  const auto second = cache.read(5, 0b0110, 2);
  EXPECT_EQ(second.hit, 0b0010);
  EXPECT_EQ(second.late, 0);
  EXPECT_EQ(second.allocated, 0b0100);
}

TEST(SectorCache, FetchesPairs) {
  SectorCache cache(64, 4, SectorCache::Sets::in_turn, 2);
  EXPECT_EQ(cache.read(5, 0b0010, 1).allocated, 0b0011);
  EXPECT_EQ(cache.read(5, 0b1111, 2).allocated, 0b1100);
}

TEST(SectorCache, WhatWasFetchedInTheSameStepIsLate) {
  SectorCache cache(64, 4, SectorCache::Sets::in_turn, 1);
  cache.read(5, 0b0001, 7);
  EXPECT_EQ(cache.read(5, 0b0001, 7).late, 0b0001);
  EXPECT_EQ(cache.read(5, 0b0001, 8).late, 0);
}

TEST(SectorCache, TheOldestLineLeavesAndIsWrittenBack) {
  SectorCache cache(2, 2, SectorCache::Sets::in_turn, 1);  // one set
  cache.write(1, 0b1111, 1);
  cache.read(2, 0b0001, 2);
  cache.read(1, 0b0001, 3);
  EXPECT_EQ(cache.read(3, 0b0001, 4).written_back, 0) << "line 2 was the oldest, and clean";
  EXPECT_EQ(cache.read(4, 0b0001, 5).written_back, 0b1111) << "then line 1";
  EXPECT_EQ(cache.read(1, 0b0001, 6).hit, 0);
}

TEST(SectorCache, HoldsAsMuchAsItHas) {
  SectorCache cache(1024, 16, SectorCache::Sets::in_turn, 1);
  unsigned hits = 0;
  for (unsigned round = 0; round < 2; ++round) {
    for (std::uint64_t line = 0; line < 700; ++line) hits += cache.read(line, 1, round + 1).hit;
  }
  EXPECT_GT(hits, 650u) << "sets fill unevenly, but few lines leave a cache that is two thirds full";
}

/// Warps that each make `requests` requests, the i-th of warp w to the line that `line_of(block, w, i)` gives.
template <class LineOf>
BlockTrace block_of(std::uint64_t block, unsigned warps, std::uint32_t requests, LineOf line_of,
                    Traffic traffic = Traffic::load) {
  BlockTrace trace;
  trace.linear = block;
  trace.warps.resize(warps);
  for (unsigned w = 0; w < warps; ++w) {
    for (std::uint32_t i = 0; i < requests; ++i) {
      LineAccess& access = trace.lines.emplace_back();
      access.line = line_of(block, w, i) & 0xffff'ffff'ffff;
      access.sectors = 0b1111;
      access.traffic = static_cast<std::uint8_t>(traffic) & 0xf;
      access.step = i;
      access.instruction = 1;
    }
    trace.warps[w].steps = requests;
  }
  return trace;
}

TEST(CacheReplay, AStreamHasNoHits) {
  BlockTrace trace = block_of(0, 4, 100, [](auto, unsigned w, std::uint32_t i) { return w * 1000ull + i; });
  std::vector<LineCounts> counts(2);
  const L1Totals l1 = replay_l1({{&trace}}, 128 << 10, counts);
  EXPECT_EQ(l1.load_sectors, 1600u);
  EXPECT_EQ(l1.hits, 0u);
  L2Replay l2(1 << 20, 0, 2);
  EXPECT_EQ(l2.add({&trace}).dram_read, 1600u);
  EXPECT_EQ(l2.by_instruction()[1].fetched, 400u);
}

TEST(CacheReplay, WarpsThatReadTheSameLinesWaitForOneFetch) {
  BlockTrace trace = block_of(0, 8, 50, [](auto, unsigned, std::uint32_t i) { return i; });
  std::vector<LineCounts> counts(2);
  const L1Totals l1 = replay_l1({{&trace}}, 128 << 10, counts);
  EXPECT_EQ(l1.hits, 7u * 50 * 4);
  EXPECT_EQ(counts[1].fetched, 50u);
  EXPECT_EQ(counts[1].late, 7u * 50) << "all of them wait, as they ask at the same time";
}

TEST(CacheReplay, BlocksInTurnsShareWhatOneAfterAnotherWouldNot) {
  // Each of 8 blocks reads the same 3,000 lines, and the L2 has 1,024.
  std::vector<BlockTrace> traces;
  for (std::uint64_t b = 0; b < 8; ++b)
    traces.push_back(block_of(b, 1, 3000, [](auto, unsigned, std::uint32_t i) { return i; }));
  Wave together;
  L2Replay in_turns(1024 * kLineBytes, 0, 2), one_after_another(1024 * kLineBytes, 0, 2);
  std::uint64_t apart = 0;
  for (BlockTrace& trace : traces) {
    together.push_back(&trace);
    apart += one_after_another.add({&trace}).dram_read;
  }
  EXPECT_EQ(in_turns.add(together).dram_read, 3000u * 4);
  EXPECT_EQ(apart, 8u * 3000 * 4);
}

TEST(CacheReplay, SomeLinesStandForAll) {
  // 4,000 lines are read three times over, with room for a quarter more or for half of them.
  auto trace = block_of(0, 1, 12'000, [](auto, unsigned, std::uint32_t i) { return i % 4000; });
  for (const std::uint64_t room : {5000ull, 2000ull}) {
    double reads[2];
    for (unsigned halvings : {0u, 3u}) {
      L2Replay l2(room * kLineBytes, halvings, 2);
      const L2Totals totals = l2.add({&trace});
      reads[halvings == 0 ? 0 : 1] =
          static_cast<double>(totals.dram_read) / static_cast<double>(totals.load_sectors) * 12'000;
    }
    EXPECT_NEAR(reads[1], reads[0], 0.1 * reads[0]);
  }
}

TEST(CacheReplay, StoresAreWrittenBackWhenOthersNeedTheRoom) {
  auto trace = block_of(
      0, 1, 4096, [](auto, unsigned, std::uint32_t i) { return i; }, Traffic::store);
  L2Replay l2(1024 * kLineBytes, 0, 2);
  const L2Totals totals = l2.add({&trace});
  EXPECT_EQ(totals.dirtied, 4096u * 4);
  EXPECT_EQ(totals.dram_write, (4096u - 1024) * 4);
  EXPECT_EQ(totals.dram_read, 0u);
}

}  // namespace
}  // namespace cudasim
