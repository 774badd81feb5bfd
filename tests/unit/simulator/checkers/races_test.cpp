// SPDX-License-Identifier: MIT
// The race checker against a model that is slow and plainly right (races_model.h). On random programs of two blocks
// both must call the same accesses the first race of a place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "checkers/race/shadow/race_checker.h"
#include "memory/memory.h"
#include "program/program.h"
#include "races_model.h"
#include "state/lane_addresses.h"

namespace cudasim {
namespace {

using namespace test;

class Races : public ::testing::Test {
 protected:
  void begin(std::uint8_t access_bytes = 4) {
    MemoryAccess access;
    access.space = ptx::Space::global;
    access.bytes = access_bytes;
    program_.accesses = {access};
    checker_.begin_launch(program_, memory_);
    for (std::uint32_t b = 0; b < 2; ++b) begin_block(b);
  }
  void begin_block(std::uint32_t b) { checker_.begin_block(block_[b], b, warps, 1024); }
  void sync_block(std::uint32_t b) { checker_.order().open(block_[b].clocks, 0, (1u << warps) - 1, true); }
  /// The granules at which the checker finds a race.
  std::set<std::uint32_t> access(std::uint32_t b, std::uint32_t warp, const std::vector<std::uint64_t>& address,
                                 Mask mask, std::uint32_t bytes, AccessKind kind) {
    RaceChecker::Access seen;
    seen.warp = warp;
    seen.instruction = ++instruction_ % 7 + 1;
    seen.bytes = bytes;
    seen.kind = kind;
    seen.ordering = Ordering::weak;
    const bool side_by_side = std::all_of(address.begin(), address.end(), [&, next = address[0]](auto a) mutable {
      return a == std::exchange(next, next + bytes);
    });
    if (side_by_side && bytes >= 4 && mask == ~0u && !at_least_volatile(kind) &&
        checker_.take_coalesced(block_[b], {data_, address[0], kWarpSize * std::uint64_t{bytes}}, warp,
                                seen.instruction, kind)) {
      ++taken_;
      return {};
    }
    // As the machine tells it: where the lanes lie together, or each address.
    Span span;
    lane_kernels(best_level()).span(address.data(), mask, span);
    if (instruction_ % 4 != 0) {
      seen.span = &span;
    } else {
      seen.address = address.data();
    }
    std::set<std::uint32_t> found;
    for (const auto& conflict : checker_.look_at(block_[b], seen, mask, memory_)) {
      EXPECT_TRUE(conflict.same_instruction || conflict.earlier.kind.store || kind.store);
      found.insert(static_cast<std::uint32_t>(conflict.address - data_->address) / 4);
    }
    return found;
  }

  Memory memory_{1 << 20};
  const Allocation* data_ = memory_.allocate(16384, Origin::cuda_malloc);
  Program program_;
  RaceChecker checker_;
  RaceBlock block_[blocks];
  std::uint32_t instruction_ = 0;
  std::uint32_t taken_ = 0;  // accesses that needed no look
};

TEST_F(Races, AStrongStoreToManyLinesDoesNotStandForAPlainOne) {
  begin();
  std::vector<std::uint64_t> apart(kWarpSize);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) apart[lane] = data_->address + 128 * lane;
  EXPECT_TRUE(access(0, 0, apart, ~0u, 4, store()).empty());
  EXPECT_TRUE(access(0, 0, apart, ~0u, 4, strong(store())).empty());
  EXPECT_FALSE(access(1, 0, apart, ~0u, 4, strong(load())).empty()) << "it races with the plain store";
}

TEST_F(Races, LanesThatLieElsewhereAreCutAnew) {
  static RaceChecker checker;  // whose distances begin as zeros: those of lanes at one place
  checker.begin_launch(program_, memory_);
  for (std::uint32_t b = 0; b < 2; ++b) checker.begin_block(block_[b], b, warps, 1024);
  const auto races = [&](std::uint32_t b, const std::vector<std::uint64_t>& address, AccessKind kind, Mask mask) {
    Span span;
    lane_kernels(best_level()).span(address.data(), mask, span);
    RaceChecker::Access seen;
    seen.instruction = 1;
    seen.bytes = 4;
    seen.kind = kind;
    seen.span = &span;
    return checker.look_at(block_[b], seen, mask, memory_).size();
  };
  std::vector<std::uint64_t> backwards(kWarpSize);
  const std::vector<std::uint64_t> one(kWarpSize, data_->address + 128), sixth(kWarpSize, data_->address + 128 + 20);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) backwards[lane] = data_->address + 4 * (kWarpSize - 1 - lane);
  EXPECT_EQ(races(0, backwards, load(), ~0u), 0u);
  EXPECT_EQ(races(1, sixth, store(), 1), 0u);
  EXPECT_EQ(races(0, one, load(), ~0u), 0u) << "all lanes read the first word of the line";
  EXPECT_EQ(races(0, sixth, load(), ~0u), 1u);
}

TEST_F(Races, LanesThatCollideWithOneValueAreNoConflictAndAreCutAnewForSeveral) {
  begin();
  const std::vector<std::uint64_t> one(kWarpSize, data_->address);
  Span span;
  lane_kernels(best_level()).span(one.data(), ~0u, span);
  const auto conflicts = [&](bool is_one_value) {
    RaceChecker::Access seen;
    seen.instruction = 1;
    seen.bytes = 4;
    seen.kind = store();
    seen.is_one_value = is_one_value;
    seen.span = &span;
    return checker_.look_at(block_[0], seen, ~0u, memory_).size();
  };
  EXPECT_EQ(conflicts(true), 0u) << "31 of them would cost more than the store";
  EXPECT_EQ(conflicts(true), 1u) << "with the store before, whose value only the caller knows";
  EXPECT_EQ(conflicts(false), 1u + kWarpSize - 1);
  EXPECT_EQ(conflicts(true), 1u);
}

TEST_F(Races, AgreesWithTheModelOnRandomPrograms) {
  std::uint32_t races = 0, silent = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    Model model;
    begin();
    std::set<std::uint32_t> raced;             // a place that has raced once is not looked at any more
    const bool partial_syncs = seed % 2 != 0;  // they may hide a race: only false alarms are looked for
    const bool whole_lines = seed % 4 == 2;    // of whole warps, and few of them
    const std::uint32_t places = 1 + below(96), barrier_weight = below(12), stores = 1 + below(8);
    for (unsigned step = 0; step < 80; ++step) {
      if (step == 20 || step == 40) begin_block(2 + (step == 40));
      const std::uint32_t b = below(2u + (step >= 20) + (step >= 40)), warp = below(warps);
      std::vector<std::uint32_t> group;
      if (below(20) < barrier_weight) {
        for (std::uint32_t w = 0; w < warps; ++w) {
          for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) group.push_back(Model::thread(b, w, lane));
        }
        model.sync(group);
        sync_block(b);
        continue;
      }
      if (below(5) == 0) {
        const Mask mask = !partial_syncs ? ~0u : static_cast<Mask>(random()) | 1u;
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
          if ((mask >> lane) & 1) group.push_back(Model::thread(b, warp, lane));
        }
        model.sync(group);
        HappensBefore::sync_warp(block_[b].clocks, warp, mask, ~0u);
        continue;
      }
      const AccessKind kind =
          below(8) < stores / 2 ? (below(3) == 0 ? (seed % 3 == 0 ? reduction() : atomic()) : store()) : load();
      const Mask mask = whole_lines || below(2) == 0 ? ~0u : static_cast<Mask>(random()) | 1u;
      const std::uint32_t pattern = whole_lines ? 4 + 2 * below(2) : below(7);
      const std::uint32_t shift = below(places), stride = 1 + below(3);
      const std::uint32_t words = pattern == 6 && !kind.atomic ? 2 : 1;  // of a lane
      std::vector<std::uint64_t> address(kWarpSize);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> touched;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t granule =
            pattern == 0   ? shift + lane * stride
            : pattern == 1 ? shift
            : pattern == 2 ? 200 + (b * warps + warp) * kWarpSize + lane
            : pattern == 3 ? ((lane * 7 + shift % 3) % (10 + 15 * stride) + 12) * 32  // many lines; of 25, some twice
            : pattern == 4 ? shift % 16 * 32 + lane
            : pattern == 6 ? shift % 8 * 32 + lane * words
                           : below(places);
        address[lane] = data_->address + granule * 4;
        for (std::uint32_t i = 0; i < words && ((mask >> lane) & 1) != 0; ++i)
          touched.emplace_back(Model::thread(b, warp, lane), granule + i);
      }
      const auto expected = model.access(touched, kind);
      const auto found = access(b, warp, address, mask, 4 * words, kind);
      // A conflict names one granule of those that its segment has, so the checker is asked whether there is one.
      std::vector<std::uint32_t> fresh;
      for (const auto granule : expected) {
        if (raced.count(granule) == 0) fresh.push_back(granule);
      }
      for (const auto granule : found)
        EXPECT_TRUE(expected.count(granule) != 0)
            << "false alarm: seed " << seed << " step " << step << " place " << granule;
      EXPECT_TRUE(partial_syncs || fresh.empty() || !found.empty()) << "missed: seed " << seed << " step " << step;
      raced.insert(expected.begin(), expected.end());
      (expected.empty() ? silent : races) += 1;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(races, 500u);
  EXPECT_GT(silent, 5000u);
  EXPECT_GT(taken_, 2000u);
}

TEST_F(Races, AVolatileReadOfTheSameLaneHidesNoNeighbour) {
  AccessKind is_volatile = load();
  is_volatile.is_volatile = true;
  std::vector<std::uint64_t> own(kWarpSize), next(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    own[lane] = data_->address + 4 * lane;
    next[lane] = data_->address + 4 * ((lane + 1) % kWarpSize);
  }
  begin();
  EXPECT_TRUE(access(0, 0, own, ~0u, 4, load()).empty());
  EXPECT_TRUE(access(0, 0, own, ~0u, 4, is_volatile).empty());
  EXPECT_TRUE(access(0, 0, next, ~0u, 4, load()).empty());
  EXPECT_EQ(access(0, 0, own, ~0u, 4, store()).size(), 1u) << "beside the neighbour's read";
}

TEST_F(Races, BytesOfAWordAreDifferentPlaces) {
  begin(1);
  std::vector<std::uint64_t> address(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = data_->address + lane;
  EXPECT_TRUE(access(0, 0, address, ~0u, 1, store()).empty());
  for (auto& a : address) a += 32;
  EXPECT_TRUE(access(0, 1, address, ~0u, 1, store()).empty());
  for (auto& a : address) a -= 1;  // one byte of the first warp's
  EXPECT_FALSE(access(0, 1, address, ~0u, 1, load()).empty());
}

TEST_F(Races, ManyReadersOfOneBlockDoNotHideAReaderOfAnother) {
  begin();
  const std::vector<std::uint64_t> address(kWarpSize, data_->address);
  access(0, 0, address, 1, 4, load());
  access(0, 1, address, 1, 4, load());
  access(1, 0, address, 1, 4, load());
  sync_block(0);
  EXPECT_FALSE(access(0, 0, address, 1, 4, store()).empty());
}

TEST_F(Races, ReadsThatChangeNothingHideNoRace) {
  // From the third block on, reads of these lines are not even written down.
  std::vector<std::uint64_t> line(kWarpSize), column(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    line[lane] = data_->address + 4 * lane;
    column[lane] = data_->address + 128 * lane;
  }
  for (const auto& place : {line, column}) {
    begin();
    for (std::uint32_t b = 0; b < 4; ++b) {
      if (b >= 2) begin_block(b);
      for (int repeat = 0; repeat < 3; ++repeat)
        EXPECT_TRUE(access(b, 0, place, ~0u, 4, load()).empty()) << "block " << b;
    }
    EXPECT_FALSE(access(3, 1, place, ~0u, 4, store()).empty()) << "a store beside the reads of other blocks";
    begin_block(2);
    EXPECT_FALSE(access(2, 0, place, ~0u, 4, load()).empty()) << "a read of what another block has written";
  }
}

TEST_F(Races, WholeLinesOfOneWarpHideNoRace) {
  std::vector<std::uint64_t> line(kWarpSize), reversed(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    line[lane] = data_->address + 4 * lane;
    reversed[lane] = data_->address + 4 * (kWarpSize - 1 - lane);
  }
  begin();
  access(0, 0, line, ~0u, 4, store());
  for (int repeat = 0; repeat < 3; ++repeat) access(0, 0, line, ~0u, 4, load());
  EXPECT_FALSE(access(0, 1, line, ~0u, 4, load()).empty()) << "the store that came before the loads";
  begin();
  access(0, 0, reversed, ~0u, 4, load());
  EXPECT_FALSE(access(0, 0, line, ~0u, 4, store()).empty()) << "other lanes of the same warp";
  begin();
  access(0, 0, line, ~0u, 4, load());
  EXPECT_FALSE(access(1, 0, line, ~0u, 4, store()).empty()) << "the same warp of another block";
  begin();
  access(0, 0, line, ~0u, 4, load());
  sync_block(0);
  access(0, 0, line, ~0u, 4, store());
  EXPECT_FALSE(access(0, 1, line, ~0u, 4, load()).empty()) << "what the warp has done behind the barrier";
  EXPECT_EQ(taken_, 4u);
  begin(1);  // 32 places of a line are 32 bytes then
  access(0, 0, line, ~0u, 4, store());
  EXPECT_FALSE(access(0, 1, std::vector<std::uint64_t>(kWarpSize, data_->address + 100), 1, 1, load()).empty())
      << "a byte of the last lanes";
}

TEST_F(Races, TwoLanesOfAScatteredStoreAtOnePlaceAreFound) {
  std::vector<std::uint64_t> first(kWarpSize), second(kWarpSize);
  std::set<std::uint32_t> but_lane_6;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    first[lane] = data_->address + 128 * lane;
    second[lane] = first[lane] + 4;
    if (lane != 6) but_lane_6.insert(32 * lane + 1);
  }
  std::vector<std::uint64_t> colliding = second;
  colliding[6] = colliding[5];
  for (int repeat = 0; repeat < 4; ++repeat) {  // told in different ways
    begin();
    EXPECT_TRUE(access(0, 0, first, ~0u, 4, store()).empty());
    EXPECT_EQ(access(0, 0, colliding, ~0u, 4, store()), std::set<std::uint32_t>{32 * 5 + 1});
    EXPECT_EQ(access(1, 0, second, ~0u, 4, store()), but_lane_6);
  }
}

TEST_F(Races, AtomicsThatChangeNothingHideNoRace) {
  // From the third block on, atomics of these lines are not even written down.
  std::vector<std::uint64_t> line(kWarpSize), column(kWarpSize), few(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    line[lane] = data_->address + 4 * lane;
    column[lane] = data_->address + 128 * lane;
    few[lane] = data_->address + 128 * (lane * 5 % 8) + 4 * (lane % 3);
  }
  AccessKind of_block = reduction();
  of_block.of_block = true;
  for (const auto& place : {line, column, few}) {
    for (const AccessKind kind : {reduction(), atomic()}) {
      for (const AccessKind intruder : {store(), load(), of_block}) {
        begin();
        for (std::uint32_t b = 0; b < 4; ++b) {
          if (b >= 2) begin_block(b);
          for (int repeat = 0; repeat < 3; ++repeat)
            EXPECT_TRUE(access(b, 0, place, ~0u, 4, kind).empty()) << "block " << b;
        }
        EXPECT_FALSE(access(3, 1, place, ~0u, 4, intruder).empty()) << "beside the atomics of other blocks";
        begin_block(2);
        if (!intruder.atomic) {
          EXPECT_FALSE(access(2, 0, place, ~0u, 4, kind).empty()) << "an atomic beside it";
        }
      }
    }
  }
  // What the last of them has read it knows, though nothing of it was written down.
  for (const AccessKind kind : {reduction(), atomic()}) {
    begin();
    for (std::uint32_t b = 0; b < 4; ++b) {
      if (b >= 2) begin_block(b);
      access(b, 0, column, ~0u, 4, kind);
    }
    EXPECT_EQ(access(3, 0, column, ~0u, 4, store()).empty(), kind.observes);
  }
}

TEST_F(Races, WhoReadWhatAtomicsLeftKnowsThatTheyAreDone) {
  const std::vector<std::uint64_t> ticket(kWarpSize, data_->address);
  auto by = [&](std::uint32_t b, std::uint32_t warp, AccessKind kind) {
    return !access(b, warp, ticket, 1, 4, kind).empty();
  };
  auto draw = [&](AccessKind kind) {
    begin();
    by(0, 0, kind);
    by(1, 0, kind);
  };
  draw(atomic());
  EXPECT_FALSE(by(1, 0, store())) << "by the last one";
  draw(atomic());
  EXPECT_TRUE(by(0, 0, store())) << "the other block has drawn since";
  draw(atomic());
  EXPECT_TRUE(by(1, 1, store())) << "another warp, and no barrier";
  draw(atomic());
  sync_block(1);
  EXPECT_FALSE(by(1, 1, store())) << "another warp, after a barrier";
  draw(reduction());
  EXPECT_TRUE(by(1, 0, store())) << "it has not looked at what was there";
  begin();
  by(0, 0, atomic());
  by(1, 0, strong(load()));
  EXPECT_FALSE(by(1, 0, store())) << "read by a load";
  begin();
  by(0, 0, strong(load()));
  by(1, 0, atomic());
  EXPECT_TRUE(by(1, 0, store())) << "nobody knows that a load is done";
  begin();
  by(0, 0, store());
  EXPECT_TRUE(by(1, 0, atomic())) << "a plain store is not waited for";
}

TEST_F(Races, LanesOfOneReductionKnowNothingOfEachOther) {
  const std::vector<std::uint64_t> cell(kWarpSize, data_->address);
  for (const AccessKind kind : {reduction(), atomic()}) {
    begin();
    EXPECT_TRUE(access(0, 0, cell, 0b11, 4, kind).empty());
    EXPECT_EQ(access(0, 0, cell, 0b10, 4, load()).empty(), kind.observes);
  }
}

TEST_F(Races, AnAtomicTellsOfItsOwnPlaceOnly) {
  const std::vector<std::uint64_t> ticket(kWarpSize, data_->address), other(kWarpSize, data_->address + 4);
  begin();
  access(0, 0, other, 1, 4, atomic());
  access(0, 0, ticket, 1, 4, atomic());
  access(1, 0, ticket, 1, 4, atomic());
  EXPECT_FALSE(access(1, 0, other, 1, 4, store()).empty());
}

}  // namespace
}  // namespace cudasim
