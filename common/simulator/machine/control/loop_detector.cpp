// SPDX-License-Identifier: MIT
#include "machine/control/loop_detector.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "messages/finding_messages.h"
#include "messages/stuck_block.h"
#include "program/paths.h"

namespace cudasim {
namespace {

/// Backward branches, each after a read of memory that others write, until a split counts as spinning.
constexpr std::uint32_t kSpinLimit = 1000;
/// The same at a barrier of the grid, once the block has spun. Hundreds of other blocks may spin too, and one of them
/// is late.
constexpr std::uint32_t kLooksOfAWaitingBlock = 16;

constexpr std::uint64_t kStepsBetweenLooks =
    1'000'000;  ///< Between checks of the clock, and of whether the block makes progress.
/// Hundreds of blocks may spin in turn, and each of them must be checked.
constexpr std::uint64_t kStepsBeforeASpinningBlockLooks = 50'000;

/// Instructions of a block without a write, until its loops that look at mbarriers count as endless: some seconds.
constexpr std::uint64_t kStepsAtMbarriers = 20'000'000;

/// Larger states (deep recursion in large blocks) are not kept: such loops end by the budget.
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

bool same(const WarpSplit& a, const WarpSplit& b) {
  const auto all = [](const WarpSplit& f) {
    return std::tie(f.state, f.pc, f.mask, f.convergence_barrier, f.activation, f.frame, f.local, f.barrier, f.polls,
                    f.looked);
  };
  return all(a) == all(b);
}

bool same(const ConvergenceBarrier& a, const ConvergenceBarrier& b) {
  const auto all = [](const ConvergenceBarrier& m) {
    return std::tie(m.pc, m.activation, m.expected, m.arrived, m.outer, m.frame, m.local);
  };
  return a.in_use == b.in_use && (!a.in_use || all(a) == all(b));
}

bool same(const Activation& a, const Activation& b) {
  const auto all = [](const Activation& c) {
    return std::tie(c.return_pc, c.caller, c.caller_frame, c.caller_local, c.call, c.function, c.frame);
  };
  return a.lanes == b.lanes && (a.lanes == 0 || all(a) == all(b));
}

bool same(const BlockBarrier& a, const BlockBarrier& b) {
  const auto all = [](const BlockBarrier& c) {
    return std::tie(c.expected, c.arrived, c.reduces, c.any, c.all, c.population, c.counter);
  };
  return all(a) == all(b);
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

bool same(const Warp& now, const Repetition::WarpState& then) {
  return now.live == then.live && now.waiting == then.waiting && now.interrupted == then.interrupted &&
         same(now.splits, then.splits) && same(now.convergence_barriers, then.convergence_barriers) &&
         same(now.activations, then.activations);
}

/// All lanes that are left are in the split that runs.
bool runs_alone(const Warp& warp) {
  return warp.splits.empty() && std::all_of(warp.convergence_barriers.begin(), warp.convergence_barriers.end(),
                                            [](const ConvergenceBarrier& convergence_barrier) {
                                              return !convergence_barrier.in_use || convergence_barrier.arrived == 0;
                                            });
}

/// No write and no arrival at a barrier lies between the two.
bool is_quiet(const Activity& a, const Activity& b) {
  return a.global_writes == b.global_writes && a.shared_writes == b.shared_writes && a.barriers == b.barriers;
}

/// Whether each split that can run has run, and has come back to where it was.
bool all_had_their_turn(const std::vector<WarpSplit>& now, const std::vector<WarpSplit>& then) {
  return std::equal(now.begin(), now.end(), then.begin(), then.end(), [](const WarpSplit& a, const WarpSplit& b) {
    return a.state != WarpSplit::State::runnable || a.turn != b.turn;
  });
}

}  // namespace

void LoopDetector::begin_block(Block& block) {
  block.alarm = block.next_look = std::min(worker_.step_budget / 2, kStepsBetweenLooks);
  if (worker_.others && !worker_.looks_for_races) block.alarm = std::min(block.alarm, kStepsWorthAnotherWorker);
  if (block.slot >= repetitions_.size()) repetitions_.resize(block.slot + 1);
  repetitions_[block.slot] = {};
  mbarrier_waits_.resize(repetitions_.size());
  mbarrier_waits_[block.slot] = {};
}

void LoopDetector::report_stuck(Block& block, FindingKind kind) {
  report(grid_, block, stuck_block(grid_, block, kind, is_full()));
}

void LoopDetector::report_endless(Block& block) { report_stuck(block, kind_); }

/// A split has read memory since the last backward branch, as it may do to wait for others.
LoopDetector::Verdict LoopDetector::count_look(Block& block, Warp& warp, WarpSplit& split) {
  ++split.polls;
  split.looked = false;
  const bool waits = block.has_waited && grid_.launch.cooperative && split.polls % kLooksOfAWaitingBlock == 0;
  if (!waits && split.polls < kSpinLimit) return Verdict::goes_on;
  // Spinning: the lanes that it waits for must get a turn. They wait to meet this split, or are in other warps.
  if (split.polls >= kSpinLimit) {
    split.polls = 0;
    divergence_.release_waiting(warp);
  }
  if (repetitions_[block.slot].of_block == nullptr)
    block.alarm = block.next_look = std::min(block.next_look, kStepsBeforeASpinningBlockLooks);
  return Verdict::spins;
}

/// A backward branch of a block that has reached its alarm.
bool LoopDetector::is_endless(Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op) {
  kind_ = FindingKind::step_budget;
  if (grid_.given_up.load(std::memory_order_relaxed)) return true;
  if (block.alarm < block.next_look && repetitions_[block.slot].of_block == nullptr) {  // it has only been long
    block.alarm = block.next_look;
    if (block.steps <= block.next_look) {
      worker_.call_others(block.steps);
      return false;
    }
  }
  if (block.steps > block.next_look) {
    if (waits_at_mbarrier(block)) {
      kind_ = FindingKind::deadlock;
      return true;
    }
    if (block.steps > worker_.step_budget) return true;
    block.next_look = std::min(worker_.step_budget, block.steps + std::min(block.steps, kStepsBetweenLooks));
    worker_.additions.flush();
    progress_.look(block, warp, op);
    if (repetitions_[block.slot].of_block == nullptr || block.steps >= 2 * repetitions_[block.slot].of_block->steps)
      keep_state(block, warp, split, false, repetitions_[block.slot].of_block);
    return false;
  }
  kind_ = FindingKind::endless_loop;
  if (can_end_.empty()) can_end_ = ways_to_the_end(program_);
  if (!can_end_[split.pc]) return true;
  Repetition* const kept = repetitions_[block.slot].of_block.get();
  if (kept != nullptr && kept->may_be(block.storage.get(), warp.index, split.pc) &&
      repeats(block, warp, split, *kept) && never_changes(block, *kept))
    return true;
  return warp_is_endless(block, warp, split);
}

bool LoopDetector::waits_at_mbarrier(const Block& block) {
  const std::uint64_t patience = std::min(kStepsAtMbarriers, worker_.step_budget / 4);
  return program_.looks_at_mbarriers &&
         mbarrier_waits_[block.slot].is_endless(program_, block.steps, patience, activity(), counts_);
}

/// The same by the warp's own state; a block of one warp has no other.
bool LoopDetector::warp_is_endless(Block& block, const Warp& warp, const WarpSplit& split) {
  if (block.warps.size() == 1) return false;
  auto& of_warp = repetitions_[block.slot].of_warp;
  of_warp.resize(block.warps.size());
  auto& kept = of_warp[warp.index];
  if (kept == nullptr || block.steps >= 2 * kept->steps) {
    keep_state(block, warp, split, true, kept);
    return false;
  }
  return kept->may_be(warp.frames, warp.index, split.pc) && repeats(block, warp, split, *kept) &&
         never_changes(block, *kept);
}

/// A clock that repeats from run to run: warp instructions of the block so far. A GPU runs an empty loop that waits for
/// 10^9 cycles in a second. So the clock goes faster and faster while a loop does nothing but read it: it touches no
/// memory and reads no other clock.
std::uint64_t LoopDetector::read_clock(const Block& block, std::uint64_t steps, const MicroOp& op) {
  constexpr std::uint64_t kLongestRound = 64;
  constexpr unsigned kPatientLooks = 1024;  // after each so many reads the pace doubles
  BlockClock& clock = repetitions_[block.slot].clock;
  if (clock.last != &op || steps - clock.last_step > kLongestRound) {
    clock.looks = 0;
    clock.pace = 0;
  }
  clock.last = &op;
  clock.last_step = steps;
  if (clock.looks++ % kPatientLooks == 0) {
    const Activity now = activity(), then = std::exchange(clock.activity, now);
    const bool touches_memory =
        now.global_reads != then.global_reads || now.shared_reads != then.shared_reads || !is_quiet(now, then);
    clock.pace = clock.looks == 1 || touches_memory ? 0 : std::clamp<std::uint64_t>(2 * clock.pace, 1, 1u << 24);
  }
  clock.ahead += clock.pace;
  return steps + clock.ahead;
}

void LoopDetector::keep_state(const Block& block, const Warp& warp, const WarpSplit& split, bool is_of_warp,
                              std::unique_ptr<Repetition>& state) const {
  const std::size_t bytes = is_of_warp ? worker_.bytes_of_warp : block.storage_bytes;
  if (bytes > kMostBytes) return;
  if (state == nullptr) {
    state = std::make_unique<Repetition>();
    state->bytes = bytes;
    state->storage.reset(new std::byte[bytes]);
  }
  Repetition& kept = *state;
  kept.steps = block.steps;
  kept.warp = warp.index;
  kept.running = split;
  kept.is_of_warp = is_of_warp;
  kept.warps.clear();
  for (const Warp& w : block.warps) {
    if (is_of_warp && w.index != warp.index) continue;
    kept.warps.push_back({w.splits, w.convergence_barriers, w.activations, w.live, w.waiting, w.interrupted});
  }
  std::memcpy(kept.storage.get(), is_of_warp ? warp.frames : block.storage.get(), bytes);
  kept.barriers = block.barriers;
  kept.barriers_in_use = block.barriers_in_use;
  kept.activity = activity();
  kept.has_all_blocks = has_all_blocks();
  kept.is_settled = kept.came_again = false;
}

/// Whether the state is the kept one, to the bit.
bool LoopDetector::repeats(const Block& block, const Warp& warp, const WarpSplit& split, Repetition& kept) const {
  if (kept.warp != warp.index) return false;
  if (kept.is_of_warp) {
    // Reads are counted to give turns to others: to lanes of the warp, if any of them wait.
    WarpSplit now = split;
    if (runs_alone(warp)) std::tie(now.polls, now.looked) = std::tie(kept.running.polls, kept.running.looked);
    if (!same(now, kept.running) || !same(warp, kept.warps.front())) return false;
  } else {
    if (!same(split, kept.running) || block.barriers_in_use != kept.barriers_in_use) return false;
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      if (!same(block.warps[w], kept.warps[w])) return false;
    }
    for (std::uint32_t left = block.barriers_in_use; left != 0; left &= left - 1) {
      const auto id = static_cast<std::size_t>(__builtin_ctz(left));
      if (!same(block.barriers[id], kept.barriers[id])) return false;
    }
  }
  const std::byte *now = kept.is_of_warp ? warp.frames : block.storage.get(), *then = kept.storage.get();
  constexpr std::size_t kSlice = 64, kWord = sizeof(std::uint64_t);
  for (std::size_t at = 0; at < kept.bytes; at += kSlice) {
    if (std::memcmp(now + at, then + at, kSlice) == 0) continue;
    while (std::memcmp(now + at, then + at, kWord) == 0) at += kWord;
    kept.differs_at = at;
    return false;
  }
  return true;
}

/// What this worker's instructions have done so far, from how often each was executed.
Activity LoopDetector::activity() const {
  Activity sum;
  // An atomic that does not change a word has only read it.
  sum.global_writes = sum.shared_writes = atomics_.changed() + memory_.generic_stores();
  const std::vector<Executed> by_pc = counts_.by_pc();
  for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
    const std::uint64_t times = by_pc[pc].warps;
    const MicroOp& op = program_.code[pc];
    const auto count = [&](ptx::Space space, std::uint64_t& global, std::uint64_t& shared) {
      if (space == ptx::Space::global || space == ptx::Space::generic) global += times;
      if (space == ptx::Space::shared || space == ptx::Space::generic) shared += times;
    };
    switch (op.kind) {
      case MicroOpcode::load:
        count(program_.accesses[op.extra].space, sum.global_reads, sum.shared_reads);
        break;
      case MicroOpcode::store:
        if (program_.accesses[op.extra].space != ptx::Space::generic)
          count(program_.accesses[op.extra].space, sum.global_writes, sum.shared_writes);
        break;
      case MicroOpcode::atomic:
        count(program_.atomics[op.extra].address.space, sum.global_reads, sum.shared_reads);
        break;
      case MicroOpcode::async_copy:
      case MicroOpcode::async_wait:
        sum.global_reads += times;
        sum.shared_writes += times;
        break;
      case MicroOpcode::texture_fetch:
        sum.global_reads += times;
        break;
      case MicroOpcode::matrix: {
        const auto mode = program_.matrices[op.extra].mode;
        if (mode == MatrixOperation::Mode::multiply || mode == MatrixOperation::Mode::transpose) break;
        const MemoryAccess& access = program_.accesses[program_.matrices[op.extra].access];
        access.is_store ? count(access.space, sum.global_writes, sum.shared_writes)
                        : count(access.space, sum.global_reads, sum.shared_reads);
        break;
      }
      case MicroOpcode::barrier:
        sum.barriers += times;
        break;
      case MicroOpcode::clock:
        sum.unrepeatable += times;
        break;
      case MicroOpcode::call:
        switch (program_.calls[op.extra].callee) {
          case Call::Callee::function:
          case Call::Callee::indirect:
            break;
          case Call::Callee::printf:  // it reads its format, and what `%s` stands for
            sum.global_reads += times;
            break;
          case Call::Callee::assert_fail:
          case Call::Callee::malloc:
          case Call::Callee::free:
            sum.unrepeatable += times;
            break;
        }
        break;
      default:  // between registers, or of a warp with itself
        break;
    }
  }
  return sum;
}

/// Whether this worker runs all blocks, and has no place for another one.
bool LoopDetector::is_full() const {
  const auto mine =
      std::count_if(worker_.blocks.begin(), worker_.blocks.end(), [](const auto& block) { return block->active; });
  return !grid_.block_order.empty() && mine == grid_.resident_blocks;
}

/// Whether every block of the grid has ended, or is under way on this worker. A block without a place before another
/// ends cannot help those that are under way.
bool LoopDetector::has_all_blocks() const {
  if (is_full()) return true;
  const auto mine =
      std::count_if(worker_.blocks.begin(), worker_.blocks.end(), [](const auto& block) { return block->active; });
  return grid_.blocks_done.load(std::memory_order_acquire) + static_cast<std::uint64_t>(mine) == grid_.blocks;
}

/// Whether only blocks of this worker, all of which are under way, can change global memory since the state was kept.
bool LoopDetector::nobody_else_writes(const Repetition& kept) const {
  return kept.has_all_blocks && has_all_blocks() && !grid_.memory.host_may_write();
}

/// The block's state is again the kept one. Whether nothing can lead it elsewhere, in any order of warps and blocks. In
/// doubt the answer is no, and the loop ends by the budget.
bool LoopDetector::never_changes(const Block& block, Repetition& kept) const {
  kept.is_settled = true;
  const Activity now = activity(), &then = kept.activity;
  if (now.unrepeatable != then.unrepeatable) return false;
  const bool reads_global = now.global_reads != then.global_reads, reads_shared = now.shared_reads != then.shared_reads;
  // Only its own registers and local memory decided where the warp goes.
  if (!reads_global && !reads_shared && now.barriers == then.barriers) return true;

  // All others must wait, or must have gone round too without a change of what is read.
  if (reads_shared && now.shared_writes != then.shared_writes) return false;
  if (reads_global && (now.global_writes != then.global_writes || !nobody_else_writes(kept))) return false;
  for (std::size_t w = 0; w < kept.warps.size(); ++w) {
    const Warp& warp = block.warps[kept.is_of_warp ? kept.warp : w];
    if (warp.live != 0 && !warp.waiting && !all_had_their_turn(warp.splits, kept.warps[w].splits)) return false;
  }
  if (!kept.is_of_warp && !reads_global) return true;
  kept.came_again = !kept.is_of_warp || is_quiet(then, now);
  if (!reads_global) return goes_round(block, now);
  return std::all_of(worker_.blocks.begin(), worker_.blocks.end(),
                     [&](const auto& other) { return !other->active || goes_round(*other, now); });
}

/// Whether the block, or each warp of it, has come to its own state again without a write since then. Warps that wait
/// at a barrier wait for ever if no warp has arrived at one.
bool LoopDetector::goes_round(const Block& block, const Activity& now) const {
  const Repetition* whole = repetitions_[block.slot].of_block.get();
  if (whole != nullptr && whole->came_again && whole->activity.global_writes == now.global_writes) return true;
  return std::all_of(block.warps.begin(), block.warps.end(), [&](const Warp& warp) {
    if (warp.live == 0 || warp.waiting) return true;
    if (repetitions_[block.slot].of_warp.empty()) return false;
    const Repetition* its = repetitions_[block.slot].of_warp[warp.index].get();
    return its != nullptr && its->came_again && is_quiet(its->activity, now);
  });
}

}  // namespace cudasim
