// SPDX-License-Identifier: MIT
// Races in shared memory: what is noted and what is looked at must find the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

/// The word that a lane of a warp touches, in one of eight patterns.
std::uint32_t word_of(std::uint32_t pattern, std::uint32_t warp, std::uint32_t lane, std::uint32_t shift) {
  return pattern == 0   ? 32 * warp + lane + (shift == 1 ? 1 : 0)               // its own, nearly
         : pattern == 1 ? 64 * warp + 2 * lane + shift % 2 + 32 * (shift == 2)  // two a lane
         : pattern == 2 ? 16 * shift + lane % 16                                // twice each
         : pattern == 3 ? 33 * lane + warp + shift % 3                          // a column
         : pattern == 4 ? 300 + shift                                           // all one
         : pattern == 5 ? 128 * warp + 4 * lane + 128 * (shift == 2)
         : pattern == 6 ? 512 + (lane * 7 + shift) % 64
                        : 40 * shift + lane;
}

/// The model's threads of these lanes. Its blocks have two warps.
void add_threads(std::uint32_t warp, Mask lanes, std::vector<std::uint32_t>& group) {
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (((lanes >> lane) & 1) != 0) group.push_back(Model::thread(warp / 2, warp % 2, lane));
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
      const auto add = [&](std::uint32_t w, Mask lanes) { add_threads(w, lanes, group); };
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
        const std::uint32_t word = word_of(pattern, warp, lane, shift);
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
