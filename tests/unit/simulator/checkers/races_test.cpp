// SPDX-License-Identifier: MIT
// The race checker against a model that is slow and plainly right: every access is kept for ever, with a clock for each
// thread. On random programs of two blocks both must call the same accesses the first race of a place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "checkers/race/shadow/race_checker.h"
#include "memory/memory.h"
#include "program/program.h"
#include "state/lane_addresses.h"

namespace cudasim {
namespace {

constexpr std::uint32_t warps = 2, blocks = 4, threads = blocks * warps * kWarpSize;

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

AccessKind load() { return {}; }
AccessKind store() {
  AccessKind kind;
  kind.store = true;
  return kind;
}
AccessKind reduction() {
  AccessKind kind = store();
  kind.atomic = true;
  return kind;
}
AccessKind atomic() {
  AccessKind kind = reduction();
  kind.observes = true;
  return kind;
}
AccessKind strong(AccessKind kind) {
  kind.strong = true;
  kind.observes = !kind.store;
  return kind;
}

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
      const std::uint32_t b = below(2 + (step >= 20) + (step >= 40)), warp = below(warps);
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

/// A block of four warps and its shared memory, of which accesses are noted where that is possible, or all looked at.
class SharedMemory {
 public:
  static constexpr std::uint32_t warps = 4, words = 1280;
  SharedMemory(bool notes, bool fences) : notes_(notes) {
    MemoryAccess access;
    access.space = ptx::Space::shared;
    access.bytes = 4;
    access.ordering = fences ? Ordering::acquire : Ordering::weak;
    program_.accesses = {access};
    checker_.begin_launch(program_, memory_);
    checker_.begin_block(block_, 0, warps, words * 4);
  }
  void sync_block() { checker_.open(block_, 0, (1u << warps) - 1, true); }
  void sync_some(std::uint32_t which) { checker_.open(block_, 1, which, false); }
  void sync_warp(std::uint32_t warp, Mask mask) { checker_.sync_warp(block_, warp, mask, ~0u); }
  void fence(std::uint32_t warp) { checker_.fence(block_, warp, false); }
  /// What is found: the words, and who was there.
  std::set<std::array<std::uint32_t, 3>> access(std::uint32_t warp, const std::vector<std::uint64_t>& address,
                                                Mask mask, std::uint32_t bytes, AccessKind kind,
                                                std::uint32_t instruction) {
    Span span;
    lane_kernels(best_level()).span(address.data(), mask, span);
    if (notes_ && !kind.atomic && !kind.strong) {
      const auto begin = static_cast<std::uint32_t>(span.least);
      const bool is_again = mask == ~0u && instruction % 4 != 0;  // as if its lanes had lain so the last time
      if ((is_again &&
           RaceChecker::note(block_, checker_.shape_of(span.offset, bytes), begin, warp, instruction, kind.store)) ||
          RaceChecker::note_once(block_, span, bytes, mask, warp, instruction, kind.store)) {
        ++noted_;
        return {};
      }
    }
    RaceChecker::Access seen;
    seen.warp = warp;
    seen.instruction = instruction;
    seen.bytes = bytes;
    seen.kind = kind;
    seen.ordering = Ordering::weak;
    seen.is_shared = true;
    if (instruction % 5 != 0) {
      seen.span = &span;
    } else {
      seen.address = address.data();
    }
    std::set<std::array<std::uint32_t, 3>> found;
    for (const auto& conflict : checker_.look_at(block_, seen, mask, memory_))
      found.insert({static_cast<std::uint32_t>(conflict.address) / 4, conflict.earlier.instruction,
                    conflict.same_instruction ? ~0u : conflict.earlier.warp});
    return found;
  }
  std::uint32_t noted() const { return noted_; }

 private:
  const bool notes_;
  std::uint32_t noted_ = 0;
  Memory memory_{1 << 20};
  Program program_;
  RaceChecker checker_;
  RaceBlock block_;
};

std::set<std::array<std::uint32_t, 2>> who(const std::set<std::array<std::uint32_t, 3>>& found) {
  std::set<std::array<std::uint32_t, 2>> result;
  for (const auto& conflict : found) result.insert({conflict[1], conflict[2]});
  return result;
}

TEST(RacesInSharedMemory, ABarrierOfSomeWarpsHidesNothingOfTheOthers) {
  std::vector<std::uint64_t> line(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) line[lane] = 4 * lane;
  SharedMemory memory(true, false);
  EXPECT_TRUE(memory.access(2, line, ~0u, 4, store(), 1).empty());
  EXPECT_EQ(memory.noted(), 1u);
  memory.sync_some(0b11);
  EXPECT_FALSE(memory.access(0, line, ~0u, 4, load(), 2).empty());
  memory.sync_block();
  EXPECT_TRUE(memory.access(1, line, ~0u, 4, load(), 3).empty());
  EXPECT_EQ(memory.noted(), 2u);
}

TEST(RacesInSharedMemory, AReadBeforeSyncwarpIsKnownToOtherWarps) {
  std::vector<std::uint64_t> left(kWarpSize), right(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    left[lane] = 4 * (lane % 16);
    right[lane] = 64 + 4 * (lane % 16);
  }
  constexpr Mask lower_half = 0xffff;
  SharedMemory memory(true, false);
  EXPECT_TRUE(memory.access(0, left, ~0u, 4, load(), 4).empty());
  memory.sync_warp(0, ~0u);
  EXPECT_TRUE(memory.access(0, right, ~0u, 4, load(), 4).empty());
  EXPECT_EQ(memory.noted(), 2u);
  EXPECT_FALSE(memory.access(1, left, lower_half, 4, store(), 8).empty());
}

TEST(RacesInSharedMemory, WhatLiesBehindThemIsNotNoted) {
  for (const unsigned exponent : {30u, 32u}) {
    std::vector<std::uint64_t> apart(kWarpSize);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) apart[lane] = (std::uint64_t{1} << exponent) + 64 * lane;
    SharedMemory memory(true, false);
    EXPECT_TRUE(memory.access(0, apart, ~0u, 4, load(), 4).empty());
    EXPECT_EQ(memory.noted(), 0u);
  }
}

TEST(RacesInSharedMemory, AtomicsThatChangeNothingHideNoRace) {
  // From the third warp on, atomics of these places are not even written down.
  std::vector<std::uint64_t> bins(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) bins[lane] = 4 * (lane * 37 % 64);
  for (const AccessKind kind : {reduction(), atomic()}) {
    for (const AccessKind intruder : {load(), store()}) {
      SharedMemory memory(true, false);
      for (std::uint32_t repeat = 0; repeat < 2; ++repeat) {
        for (std::uint32_t warp = 0; warp < SharedMemory::warps; ++warp)
          EXPECT_TRUE(memory.access(warp, bins, ~0u, 4, kind, 1).empty()) << "warp " << warp;
      }
      EXPECT_FALSE(memory.access(2, bins, 1, 4, intruder, 2).empty()) << "beside the atomics of other warps";
      memory.sync_block();
      EXPECT_TRUE(memory.access(3, bins, 1, 4, intruder, 2).empty()) << "after a barrier";
      EXPECT_FALSE(memory.access(0, bins, ~0u, 4, kind, 1).empty()) << "an atomic beside it";
    }
  }
}

TEST(RacesInSharedMemory, NotesTellWhatALookAtEachAccessTells) {
  std::uint32_t races = 0, noted = 0, silent = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    Model model;                               // its threads are those of two blocks of two warps
    const bool partial_syncs = seed % 3 == 1;  // they may hide a race: only false alarms are looked for
    const bool fences = seed % 4 == 3;
    const bool atomics = seed % 5 == 4;  // hardly another store, as in a histogram
    SharedMemory looked(false, fences), in_notes(true, fences);
    std::set<std::uint32_t> raced;
    const std::uint32_t barrier_weight = 1 + below(12), stores = below(8), places = 1 + below(12);
    for (unsigned step = 0; step < 100; ++step) {
      const std::uint32_t warp = below(SharedMemory::warps);
      std::vector<std::uint32_t> group;
      const auto add = [&](std::uint32_t w, Mask lanes) {
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
          if ((lanes >> lane) & 1) group.push_back(Model::thread(w / 2, w % 2, lane));
        }
      };
      if (below(50) < barrier_weight) {
        for (std::uint32_t w = 0; w < SharedMemory::warps; ++w) add(w, ~0u);
        model.sync(group);
        looked.sync_block();
        in_notes.sync_block();
        continue;
      }
      if (below(10) == 0) {
        const Mask mask = partial_syncs && below(2) == 0 ? static_cast<Mask>(random()) | 1u : ~0u;
        add(warp, mask);
        model.sync(group);
        looked.sync_warp(warp, mask);
        in_notes.sync_warp(warp, mask);
        continue;
      }
      if (partial_syncs && below(20) == 0) {
        const std::uint32_t which = 1u << warp | 1u << (warp + 1) % SharedMemory::warps;
        for (std::uint32_t w = 0; w < SharedMemory::warps; ++w) add(w, (which >> w & 1) != 0 ? ~0u : 0u);
        model.sync(group);
        looked.sync_some(which);
        in_notes.sync_some(which);
        continue;
      }
      if (fences && below(20) == 0) {
        looked.fence(warp);
        in_notes.fence(warp);
        continue;
      }
      const bool is_store = below(8) < stores;
      const bool is_atomic = is_store && (below(atomics ? 20 : 12) != 0) == atomics;
      const AccessKind kind = !is_store ? load() : !is_atomic ? store() : seed % 2 != 0 ? reduction() : atomic();
      const Mask mask = below(8) != 0 ? ~0u : static_cast<Mask>(random()) | 1u;
      const std::uint32_t pattern = below(8), shift = below(places);
      const std::uint32_t vector = pattern == 5 ? 4 : 1;
      std::vector<std::uint64_t> address(kWarpSize);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> touched;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t word = pattern == 0   ? 32 * warp + lane + (shift == 1 ? 1 : 0)  // its own, nearly
                                   : pattern == 1 ? 64 * warp + 2 * lane + shift % 2 + 32 * (shift == 2)  // two a lane
                                   : pattern == 2 ? 16 * shift + lane % 16                                // twice each
                                   : pattern == 3 ? 33 * lane + warp + shift % 3                          // a column
                                   : pattern == 4 ? 300 + shift                                           // all one
                                   : pattern == 5 ? 128 * warp + 4 * lane + 128 * (shift == 2)
                                   : pattern == 6 ? 512 + (lane * 7 + shift) % 64
                                                  : 40 * shift + lane;
        address[lane] = word * 4;
        for (std::uint32_t i = 0; i < vector && ((mask >> lane) & 1) != 0; ++i)
          touched.emplace_back(Model::thread(warp / 2, warp % 2, lane), word + i);
      }
      const std::uint32_t instruction = 1 + pattern + 8 * (kind.atomic ? 2 : kind.store);
      const auto expected = model.access(touched, kind);
      const auto found = looked.access(warp, address, mask, 4 * vector, kind, instruction);
      const auto by_notes = in_notes.access(warp, address, mask, 4 * vector, kind, instruction);
      // The instructions and the warps of a conflict. It names one word of those that its segment has.
      EXPECT_EQ(who(found), who(by_notes)) << "seed " << seed << " step " << step;
      for (const auto& conflict : by_notes)
        EXPECT_TRUE(expected.count(conflict[0]) != 0) << "false alarm: seed " << seed << " step " << step;
      const bool is_fresh =
          std::any_of(expected.begin(), expected.end(), [&](std::uint32_t word) { return raced.count(word) == 0; });
      EXPECT_TRUE(partial_syncs || !is_fresh || !by_notes.empty()) << "missed: seed " << seed << " step " << step;
      raced.insert(expected.begin(), expected.end());
      (expected.empty() ? silent : races) += 1;
      if (::testing::Test::HasFailure()) return;
    }
    noted += in_notes.noted();
  }
  EXPECT_GT(races, 5000u);
  EXPECT_GT(silent, 50000u);
  EXPECT_GT(noted, 50000u);
}

}  // namespace
}  // namespace cudasim
