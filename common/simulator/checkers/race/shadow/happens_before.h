// SPDX-License-Identifier: MIT
// The happens-before relation of a launch, as vector clocks: which memory accesses are ordered before which. The
// program orders them by barriers, __syncwarp, fences with a flag or ticket, acquire and release. The source is PTX
// ISA, section 8 "Memory Consistency Model". Each warp has a clock that advances at every synchronisation. An access is
// stored as warp and clock (FastTrack: epoch).
//
// Between blocks there is one simplification, which can only hide races: releases have one global time. A thread that
// acquires a released value knows all releases up to that time, also those of other threads. An ordered pair never
// looks unordered. To acquire is to read with an acquiring order, or to read and then execute a fence. A barrier
// between the two passes on what was read, because a fence of another thread then comes after it too (fence.sc).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/instruction.h"

namespace cudasim {

using Clock = std::uint32_t;
using Clocks = std::vector<Clock>;  // by warp of a block

/// A block's warps. One object serves one block after another.
struct BlockClocks {
  /// The warp has read releases up to these times, and needs a fence before it knows them. A release of a warp of its
  /// own block needs a fence of any scope; others need one of the whole grid.
  struct Unacquired {
    std::uint64_t in_block = 0, in_grid = 0;
    std::uint32_t instruction = 0;  ///< the last one that has read such a value
    void join(const Unacquired& other);
  };
  struct Warp {
    Clock now = 1;
    Clock lanes = 0;                   ///< its own accesses up to here are ordered for all lanes
    std::uint64_t known_releases = 0;  ///< releases up to this time are known
    Unacquired unacquired;
    Clocks known;  ///< For each warp of the block: its accesses that are ordered before this warp's next ones.
    Clocks fenced_in_block, fenced_in_grid;  ///< A copy of `known` at the last fence. Empty: there was none.
    std::uint32_t fences = 0;
    /// pair[i][j]: accesses of lane j up to here are ordered before lane i. It exists only after a __syncwarp with a
    /// partial mask.
    std::unique_ptr<std::array<std::array<Clock, kWarpSize>, kWarpSize>> pair;
  };
  /// Vector clocks of single threads. A kernel has them after a barrier for a part of a warp. The element known[i *
  /// threads + j]: accesses of thread j up to here are ordered before thread i. The table `arrived` holds what lanes
  /// have brought to each barrier without a wait there.
  struct LaneClocks {
    std::size_t threads = 0;
    Clocks known;
    std::array<Clocks, 16> arrived;
  };
  /// The arrivals at a barrier in which only some of the warps take part.
  struct Gathering {
    Clocks known, fenced_in_block, fenced_in_grid;
    std::uint64_t known_releases = 0;
    Unacquired unacquired;
  };
  std::uint64_t block = 0;
  Clock everyone = 0;  ///< accesses of the block up to here are ordered before its next ones
  std::vector<Warp> warps;
  std::array<Gathering, 16> barriers;
  std::unique_ptr<LaneClocks> lanes;  ///< null: no barrier was for a part of a warp
  /// The time of the block's last release through an address. Shared addresses all lie below those of global memory.
  std::unordered_map<std::uint64_t, std::uint64_t> published;

  /// Whether accesses of the lanes `then` of warp `earlier` at `clock` come before the next ones of `lanes_now` of
  /// `warp`. A pair is ordered where both are one lane. It is also ordered where they have met at a __syncwarp or at a
  /// barrier of some lanes. HappensBefore::ordered() has the order of whole warps.
  bool orders_lanes(std::uint32_t earlier, Mask then, Clock clock, std::uint32_t warp, Mask lanes_now) const;
};

class HappensBefore {
 public:
  /// `fences`: the program has fences, or acquire and release accesses. Without them, blocks cannot be ordered at all.
  void begin_launch(bool fences);
  bool active() const { return fences_; }
  void begin_block(BlockClocks& clocks, std::uint64_t block, std::uint32_t warps) const;

  /// __syncwarp of the lanes in `mask`; `live`: the lanes that have not exited the kernel.
  static void sync_warp(BlockClocks& clocks, std::uint32_t warp, Mask mask, Mask live);
  /// bar.arrive: the warp continues without a wait.
  void arrive(BlockClocks& clocks, std::uint32_t warp, std::uint32_t barrier) const;
  /// The same of some lanes of the warp.
  static void arrive_lanes(BlockClocks& clocks, std::uint32_t warp, std::uint32_t barrier, Mask lanes);
  /// A barrier opens for `lanes`, by warp. Call it before open(), where some warps do not arrive with all lanes. Fences
  /// and flags do not pass on what a thread learns here, because they have clocks of warps only.
  static void open_lanes(BlockClocks& clocks, std::uint32_t barrier, std::uint32_t whole_warps, const WarpLanes& lanes);
  /// A barrier opens for `warps` (a bit each); `all`: they are all the warps that still run.
  void open(BlockClocks& clocks, std::uint32_t barrier, std::uint32_t warps, bool all) const;
  void fence(BlockClocks& clocks, std::uint32_t warp, bool whole_grid) const;

  struct Synchronising {
    std::uint64_t address = 0;
    std::uint32_t instruction = 0;
    unsigned lane = 0;
    bool is_shared = false, reads = false, writes = false;
    bool acquires = false, releases = false;  ///< by its own semantics, not by a fence
    bool of_block = false;                    ///< these hold for the own block only
  };
  /// An atomic, volatile, relaxed, acquire or release access.
  void access(BlockClocks& clocks, std::uint32_t warp, const Synchronising& access);

  /// Whether an access of `warp` in `block` at `then` is ordered before the next one of warp `reader` of `clocks`. For
  /// two lanes of one warp see `sync_warp`.
  bool ordered(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block, std::uint32_t warp,
               Clock then) const;
  /// For an access that is not ordered: the instruction that has read a value released after it, without an acquire. 0:
  /// there is none.
  std::uint32_t unacquired(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block, std::uint32_t warp,
                           Clock then) const;

  struct Releaser {
    std::uint32_t warp = 0, lane = 0, instruction = 0;  ///< instruction 0: there is none
  };
  /// For an access of `warp` in `block` at `then` that is not ordered: the thread of another warp of that block whose
  /// release the reader knows of, or has read without an acquire. It has not waited for the access.
  Releaser releaser(const BlockClocks& clocks, std::uint32_t reader, std::uint64_t block, std::uint32_t warp,
                    Clock then) const;

 private:
  struct Release {
    std::uint64_t time = 0;
    Releaser by;
    Clocks now;                ///< of the block's warps: what comes later has another clock
    std::uint32_t fences = 0;  ///< Which fence of its warp: the same one needs no second record.
    Clocks in_block, in_grid;  ///< What every thread that acquires this release knows, with all earlier ones.
  };
  /// What releases of `block` up to `time` make known to a reader; null if there are none.
  const Release* release_known_to(std::uint64_t block, std::uint64_t time) const;
  bool known_by_release(const BlockClocks& clocks, std::uint64_t time, std::uint64_t block, std::uint32_t warp,
                        Clock then) const;
  Clocks snapshot(const BlockClocks& clocks, std::uint32_t warp) const;
  static void publish(BlockClocks::Warp& warp, Clocks&& snapshot, bool whole_grid);
  std::uint64_t release(BlockClocks& clocks, std::uint32_t warp, const Synchronising& access);

  bool fences_ = false;
  std::uint64_t time_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> published_;  // global address: time of the last release through it
  std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by block, oldest first
};

}  // namespace cudasim
