// SPDX-License-Identifier: MIT
// Between the machine and the race checker: gives it each access in its own form, and makes findings of its results.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "checkers/race/shadow/race_checker.h"
#include "state/watcher.h"

namespace cudasim {

class RaceWatch final : public Watcher {
 public:
  RaceWatch(Grid& grid, RaceChecker& checker);
  bool has_found() const { return !found_.empty(); }

  void begin_block(Block& block) override;
  void before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
              const LaneAddresses& at) override;
  bool before_again(const Step& step, const MemoryAccess& access, AccessSite& site, std::uint32_t begin) override;
  bool takes_coalesced() const override { return true; }
  bool before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite& site,
                        const CoalescedAccess& now) override;
  void start_copy(const Step& through, const PendingCopy& copy) override;
  void make_copy(const Block& block, const PendingCopy& copy, Mask lanes) override;
  void forget_allocations() override { checker_.forget_allocations(); }
  void arrive(const Block& block, const Warp& warp, std::uint32_t barrier, Mask lanes) override;
  void open_barrier(const Block& block, std::uint32_t barrier, const WarpLanes& lanes) override;
  void sync_warp(const Block& block, const Warp& warp, Mask lanes) override;
  void fence(const Block& block, const Warp& warp, bool of_grid) override;
  /// Comes after the last block: adds the findings to Grid::findings.
  void finish();

 private:
  struct Found {
    std::size_t before = 0;  ///< findings of others that came earlier
    std::uint64_t block = 0;
    Finding finding;
    bool is_shared = false;      ///< in shared memory
    bool wants_barrier = false;  ///< RaceMessages::wants_barrier
  };
  struct Slot {
    RaceBlock block;
    std::vector<std::uint64_t> awaited;  ///< words of shared memory that copies will write, a bit each
  };
  /// An access, in the form of the checker and in that of the machine.
  struct Seen {
    const Step& step;
    const MemoryAccess& access;
    const LaneAddresses& at;
    RaceChecker::Access now;
  };
  /// What a place holds, and what one lane stores there.
  struct Values {
    bool known = false;
    std::byte before[64], after[64];
  };
  const Span& span_of(const LaneAddresses& at);
  static bool stores_one_value(const Step& step, const MemoryAccess& access, Mask mask);
  void look_at(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic, const LaneAddresses& at);
  Values values_of(const Seen& seen, const Conflict& conflict) const;
  bool guesses(std::uint32_t one, const AccessKind& kind, const AccessKind& other);
  void report(const Seen& seen, const Conflict& conflict);
  std::vector<Found>::iterator found_at(const SourceLine& one, const SourceLine& other);
  void join_by_barrier();

  // awaited_copies.cpp: accesses to what a copy has yet to write or read
  bool is_awaited(const Block& block, std::uint64_t begin, std::uint64_t end) const;
  void await(const Block& block, const PendingCopy& copy, Mask lanes, bool awaited);
  void look_for_copies(const Step& step, bool is_write, const LaneAddresses& at, const PendingCopy* started = nullptr);
  void report_copy(const Step& step, unsigned lane, bool is_write, const LaneAddresses& at, const Warp& owner,
                   const PendingCopy& copy, unsigned copying);

  Grid& grid_;
  RaceChecker& checker_;
  Span coalesced_;                            // the last that span_of() has made
  std::vector<std::unique_ptr<Slot>> slots_;  // for the blocks that run
  std::vector<Found> found_;
  std::unordered_map<std::uint32_t, bool> guesses_;         // loads: see only_guesses()
  std::unordered_map<std::uint64_t, std::size_t> by_pair_;  // of instructions: index into found_
};

}  // namespace cudasim
