// SPDX-License-Identifier: MIT
// Classifies a backward branch: the loop may spin, so that others must get a turn, or it may never end.
#pragma once

#include <memory>
#include <vector>

#include "machine/control/divergence.h"
#include "machine/control/execution_counts.h"
#include "machine/control/mbarrier_wait.h"
#include "machine/control/progress.h"
#include "machine/control/repetition.h"
#include "machine/units/atomic_unit.h"

namespace cudasim {

class LoopDetector : Unit {
 public:
  enum class Verdict : std::uint8_t { goes_on, spins, endless };

  LoopDetector(Worker& worker, const ExecutionCounts& counts, const LoadStoreUnit& memory, const AtomicUnit& atomics,
               Divergence& divergence, Progress& progress)
      : Unit(worker),
        counts_(counts),
        memory_(memory),
        atomics_(atomics),
        divergence_(divergence),
        progress_(progress) {}

  void begin_block(Block& block);
  /// The split goes on at `pc`, where it has been before. A loop that spins gives others a turn. report_endless()
  /// reports an endless one.
  [[gnu::always_inline]] Verdict on_backward_branch(Block& block, Warp& warp, WarpSplit& split, std::uint32_t pc,
                                                    const MicroOp& op) {
    if (block.steps > block.alarm) {
      split.pc = pc;
      if (is_endless(block, warp, split, op)) return Verdict::endless;
    }
    if (!split.looked) {
      split.polls = 0;
      return Verdict::goes_on;
    }
    return count_look(block, warp, split);
  }
  /// Call it once the split is among those of its warp again.
  void report_endless(Block& block);
  /// The clock of a kernel, where the block has executed so many instructions.
  std::uint64_t read_clock(const Block& block, std::uint64_t steps, const MicroOp& op);
  /// The block is stuck: nothing in it can go on, or it has used up its budget.
  void report_stuck(Block& block, FindingKind kind);

 private:
  Verdict count_look(Block& block, Warp& warp, WarpSplit& split);
  bool is_endless(Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op);
  bool waits_at_mbarrier(const Block& block);
  bool warp_is_endless(Block& block, const Warp& warp, const WarpSplit& split);
  void keep_state(const Block& block, const Warp& warp, const WarpSplit& split, bool is_of_warp,
                  std::unique_ptr<Repetition>& state) const;
  bool repeats(const Block& block, const Warp& warp, const WarpSplit& split, Repetition& kept) const;
  bool never_changes(const Block& block, Repetition& kept) const;
  bool goes_round(const Block& block, const Activity& now) const;
  bool nobody_else_writes(const Repetition& kept) const;
  Activity activity() const;
  bool is_full() const;
  bool has_all_blocks() const;

  const ExecutionCounts& counts_;
  const LoadStoreUnit& memory_;
  const AtomicUnit& atomics_;
  Divergence& divergence_;
  Progress& progress_;
  FindingKind kind_ = FindingKind::endless_loop;  // of the loop that was found last
  std::vector<Repetitions> repetitions_;          // by Block::slot
  std::vector<MbarrierWait> mbarrier_waits_;      // the same
  std::vector<bool> can_end_;                     // by pc: a thread there may come to its end; empty: not asked yet
};

}  // namespace cudasim
