// SPDX-License-Identifier: MIT
// Data races in shared and global memory, found by shadow memory and vector clocks. The slow reference of this checker
// is the model in tests/unit/simulator/checkers/races_test.cpp. The model keeps every access, with a clock for each
// thread.
//
// A race is two accesses of one place by different threads that nothing orders, at least one of them a write. Sources:
// CUDA C++ Programming Guide, "Memory Fence Functions" and "Synchronization Functions"; PTX ISA, "Memory Consistency
// Model". The checker finds a race whatever order the threads ran in, because it compares only clocks.
//
// Memory is stored in lines of 32 granules (4 bytes each, or the smallest access of the kernel). shadow_lines.h has a
// picture. One warp instruction gives one Segment for each line: which granules, and which lane touched each. So a
// coalesced access costs one segment, and two segments are compared by their masks. In shared memory even this happens
// only where two accesses may race (shared_epoch.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "checkers/race/shadow/happens_before.h"
#include "checkers/race/shadow/line_cutter.h"
#include "checkers/race/shadow/race_access.h"
#include "checkers/race/shadow/shadow_lines.h"
#include "checkers/race/shadow/shared_epoch.h"
#include "memory/memory.h"

namespace cudasim {

struct CoalescedAccess;
struct Program;
class UndoLog;

/// The checker's state of a block that runs.
struct RaceBlock {
  BlockClocks clocks;
  Lines shared;
  SegmentPool pool{10};
  SharedEpoch epoch;
  std::uint32_t sequence = 0;  ///< the block's number in the order of the launch
  /// For all its warps: its time, as in Lines::Head.
  std::uint32_t last_barrier() const { return static_cast<std::uint32_t>(clocks.everyone) & Lines::Head::kLastBlock; }
};

class RaceChecker {
 public:
  void begin_launch(const Program& program, const Memory& memory);
  /// Comes after begin_launch(): `undo` keeps what stores overwrite in global memory.
  void keep_in(UndoLog& undo) { undo_ = &undo; }
  /// Whether two of them, which have seen different blocks of one launch, have seen one granule of global memory. At
  /// least one of the two has seen a write there. Two atomics of the whole device are excepted: they may meet.
  static bool meet(const std::vector<const RaceChecker*>& checkers);
  void forget_allocations() { places_.fill({}); }
  void begin_block(RaceBlock& block, std::uint64_t linear, std::uint32_t warps, std::uint32_t shared_bytes);
  HappensBefore& order() { return order_; }
  // The result of HappensBefore for them.
  void sync_warp(RaceBlock& block, std::uint32_t warp, Mask mask, Mask live);
  void arrive(RaceBlock& block, std::uint32_t warp, std::uint32_t barrier, Mask lanes, Mask all);
  /// `lanes`: those that meet, where some warps do not arrive with all of theirs; else null.
  void open(RaceBlock& block, std::uint32_t barrier, std::uint32_t warps, bool all, const WarpLanes* lanes = nullptr);
  void fence(RaceBlock& block, std::uint32_t warp, bool whole_grid);

  using Access = RaceAccess;
  /// Compares the next access of the lanes in `mask`. The result is valid until the next call. Sets
  /// `access.kind.fenced`, but not for a copy: a copy of a value just written waits for all stores before it.
  const std::vector<Conflict>& look_at(RaceBlock& block, Access& access, Mask mask, const Memory& memory);

  /// A plain access of a whole warp (coalesced.cpp). True: it is done. False: nothing is done, and look_at() has to
  /// compare it.
  bool take_coalesced(const RaceBlock& block, const CoalescedAccess& now, std::uint32_t warp, std::uint32_t instruction,
                      AccessKind kind);

  /// For note(): the layout of lanes with these distances. Valid until the next launch.
  const Shape& shape_of(const std::uint32_t* offset, std::uint32_t bytes);
  /// A plain access of a whole warp to shared memory. True: it is done. False: look_at() has to compare it.
  static bool note(RaceBlock& block, const Shape& shape, std::uint32_t begin, std::uint32_t warp,
                   std::uint32_t instruction, bool is_store);
  /// The same for the lanes in `mask`, in a layout that will hardly recur. `bytes`: for each lane, aligned, 4 to 32.
  static bool note_once(RaceBlock& block, const Span& span, std::uint32_t bytes, Mask mask, std::uint32_t warp,
                        std::uint32_t instruction, bool is_store);

 private:
  struct Overlap {
    std::uint32_t both = 0, concurrent = 0;  ///< granules; concurrent: those that nothing orders
    std::uint32_t same_lanes = 0;            ///< of the concurrent ones: by the same several lanes of one warp
    bool own_warp = false;
    bool again = false;  ///< the same lanes of the same warp at the same places
  };
  /// The memory that an instruction touched the last time.
  struct Place {
    const Allocation* allocation = nullptr;
    Lines* lines = nullptr;
    std::uint64_t line = 0;  ///< of neighbours: the first one's
  };
  Mask look_at(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Mask mask,
               const Allocation* allocation);
  void look_at_shared(RaceBlock& block, const Access& access, Mask mask);
  // epoch_notes.cpp
  void take_notes(RaceBlock& block);
  void give_up_notes(RaceBlock& block, const Access& access, Mask mask);

  Lines* lines_of(const Allocation& allocation);
  /// Call it before the line is written.
  void keep(Lines& lines, std::uint64_t line) {
    Lines::Head& head = lines.heads[line];
    if (head.generation != lines.generation) head = {lines.generation, kEndOfList, 0, 0, 0, 0};
    if (head.is_kept == 0) keep_line(lines, line);
    head.is_kept = 1;
  }
  void keep_line(const Lines& lines, std::uint64_t line);
  Place& place_of(std::uint32_t instruction, std::uint64_t address, const Memory& memory);
  void look_ahead(Place& place, std::uint64_t address) const;
  void synchronise(RaceBlock& block, const Access& access, Mask mask);
  Overlap overlap_of(const RaceBlock& block, const Access& access, const SegmentPool& pool, const Segment& earlier,
                     const Staged& now) const;
  bool observed(const RaceBlock& block, const Access& access, unsigned lane, const Witness& witness) const;
  std::uint32_t observed(const RaceBlock& block, const Access& access, const Lines& lines, const Staged& now,
                         std::uint32_t granules) const;
  void observe(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t granule, unsigned lane) const;
  void observe(const RaceBlock& block, const Access& access, Lines& lines, const Staged& now,
               std::uint32_t granules) const;
  void visit(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Staged& now);
  unsigned visit_list(RaceBlock& block, const Access& access, const Lines& lines, SegmentPool& pool, Staged& now,
                      std::uint32_t& first);

  // coalesced.cpp
  Segment* own_segment(const RaceBlock& block, const Lines::Head& head, std::uint32_t warp, std::uint8_t pattern);

  // scattered.cpp
  struct Scattered {
    std::uint32_t instruction = ~0u, failures = 0;
  };
  bool visit_scattered(const RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Mask mask);
  struct Granules {
    std::uint32_t granule[kWarpSize];  ///< of each lane that takes part
    std::uint8_t lane[kWarpSize];
    unsigned count = 0;
  };
  bool take_granules(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t line, SegmentPool& pool,
                     const Granules& at);
  static bool take_untouched(const Lines& lines, std::uint64_t line, SegmentPool& pool, const Granules& at,
                             std::uint32_t segment);
  bool gives_way(const RaceBlock& block, const Access& access, const Segment& earlier, bool same_lane) const;
  bool visit_all_quiet(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const;
  Mask visit_quiet_atomics(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const;
  Mask visit_quiet(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const;
  void found(const RaceBlock& block, const Access& access, const Lines& lines, const SegmentPool& pool,
             const Segment& earlier, const Staged& now, std::uint32_t granules);

  HappensBefore order_;
  std::uint32_t granule_shift_ = 2;
  std::uint32_t generation_ = 0;
  std::uint32_t blocks_ = 0;  // that have begun
  UndoLog* undo_ = nullptr;
  SegmentPool pool_{16};                             // of global memory: chunks of at least a huge page
  std::unordered_map<std::uint64_t, Lines> global_;  // by allocation
  LineCutter cutter_;
  std::array<Place, 64> places_;
  std::array<Scattered, 64> scattered_;
  std::vector<Conflict> conflicts_;
  std::vector<std::unique_ptr<Shape>> shapes_;
};

}  // namespace cudasim
