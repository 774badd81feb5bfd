// SPDX-License-Identifier: MIT
#include "machine/interpreter.h"

#include <algorithm>
#include <cstring>

#include "messages/finding_messages.h"

namespace cudasim {
namespace {

bool touches_memory(MicroOpcode kind) {
  return kind == MicroOpcode::load || kind == MicroOpcode::store || kind == MicroOpcode::atomic ||
         kind == MicroOpcode::async_copy;
}

}  // namespace

Interpreter::Interpreter(Worker& worker)
    : Unit(worker),
      recorder_(worker.recorder.get()),
      is_watched_(!worker.watchers.empty()),
      preempts_(worker.preempts),
      skips_launch_invariant_(worker.skips_launch_invariant),
      step_budget_(worker.step_budget),
      counts_(worker.program),
      memory_(worker),
      atomics_(worker, memory_),
      copies_(worker, memory_, atomics_),
      barriers_(worker),
      warps_(worker),
      tensors_(worker, memory_),
      textures_(worker),
      constants_(worker),
      registers_(worker, constants_, memory_),
      divergence_(worker),
      calls_(worker, divergence_, constants_),
      host_(worker, memory_),
      progress_(worker),
      loops_(worker, counts_, memory_, atomics_, divergence_, progress_),
      preemption_(worker) {}

/// A branch that ptxas makes a predicate, and over which all lanes go the same way. ExecutionCounts::add_to() counts
/// how often they do.
void Interpreter::notify_skipped(const Block& block, const std::vector<Branch::Skipped>& accesses) const {
  for (const auto& access : accesses) {
    for (const auto& watcher : watchers_) watcher->idle(block, access.is_store);
  }
}

void Interpreter::fence(const Block& block, Warp& warp, const MicroOp& op) {
  for (const auto& watcher : watchers_) watcher->fence(block, warp, op.extra == kFenceOfGrid);
  if (op.extra == kFenceOfGrid) worker_.additions.flush();
}

/// The warp whose turn it is when this one has left the kernel; null where other work may come first.
inline Warp* Interpreter::warp_after(Block& block, const Warp& warp) const {
  Warp* const next = block.warps.data() + warp.index + 1;
  if (next == block.warps.data() + block.warps.size() || preempts_ || block.barrier_due || block.steps > step_budget_)
    return nullptr;
  const bool runs = next->live != 0 && !next->waiting && !next->splits.empty() &&
                    next->splits.back().state == WarpSplit::State::runnable;
  return runs ? next : nullptr;
}

template <Interpreter::Follows follows>
Interpreter::Stop Interpreter::run_split(Block& block, Warp*& at_work, WarpSplit* place) {
  Warp* warp = at_work;
  WarpSplit split = *place;
  split.turn = ++turns_;
  if (place == &warp->splits.back()) {
    warp->splits.pop_back();
  } else {
    warp->splits.erase(warp->splits.begin() + (place - warp->splits.data()));
  }
  constexpr bool watched = follows == Follows::values, traced = follows == Follows::runs;
  const MicroOp* const code = program_.code.data();
  const MicroOp* at = nullptr;  // the operation that is next
  std::byte* frame = nullptr;
  Mask mask = 0;
  // Instructions are counted a straight run at a time. `run` is its first one, and all lanes go through it together.
  std::uint32_t run = 0, lacking = 0;
  // All of these are inline: what an out-of-line function refers to stays in memory.
  const auto pc = [&]() __attribute__((always_inline)) { return static_cast<std::uint32_t>(at - code); };
  const auto reload = [&]() __attribute__((always_inline)) {
    run = split.pc;
    at = code + run;
    mask = split.mask;
    frame = warp->frames + split.frame;
    lacking = kWarpSize - count_lanes(mask);
    counts_.enter(run, lacking);
    if constexpr (traced) recorder_->enter(block, *warp, run, split.frame);
  };
  const auto count_until = [&](std::uint32_t end) __attribute__((always_inline)) {
    counts_.leave(end, lacking);
    if constexpr (traced) recorder_->leave(block, *warp, end);
    block.steps += end - run;
  };
  const auto suspend = [&](Stop stop) __attribute__((always_inline)) {
    count_until(pc());
    split.pc = pc();
    warp->splits.push_back(split);
    return stop;
  };
  const auto fault = [&]() __attribute__((always_inline)) {
    count_until(pc() + 1);
    return Stop::fault;
  };
  if (timing_ != nullptr) timing_->turn_to(warp->index);
  reload();
  for (;;) {
    // Register operations without a guard, the bulk of most kernels, skip all that follows.
    bool plain = true;
    if constexpr (watched) plain = !warp->values->any;
    if (plain)
      for (;;) {
        for (; is_straight(*at); ++at) at->execute(frame, *at, mask);
        if (at->launch_invariant == 0 || !skips_launch_invariant_) break;
        at += at->launch_invariant;
      }
    if constexpr (watched)
      for (; !plain && is_straight(*at) && values_->pass_on(*warp->values, split.frame, *at, mask); ++at)
        at->execute(frame, *at, mask);
    const MicroOp& op = *at;
    if (op.e == kAtAffineAddress && block.knows_affine_accesses && mask == ~0u &&
        (op.kind == MicroOpcode::store ? registers_.move_known<true>(frame, op)
                                       : registers_.move_known<false>(frame, op))) {
      ++at;
      continue;
    }
    Mask active = mask;
    if (op.guard_mode != MicroOp::Guard::always) {
      Mask guard;
      std::memcpy(&guard, frame + op.guard, sizeof guard);
      active &= op.guard_mode == MicroOp::Guard::if_true ? guard : ~guard;
    }
    if (preempts_ && touches_memory(op.kind) && preemption_.interrupts_here(block, *warp, op))
      return suspend(Stop::yielded);
    if constexpr (watched) {
      if (warp->values->any) values_->instruction({block, *warp, split, op}, mask, active);
    }
    switch (op.kind) {
      case MicroOpcode::pure:
      case MicroOpcode::not_predicate:
        if (active != 0) op.execute(frame, op, active);
        ++at;
        break;
      case MicroOpcode::load:
        if (active != 0) {
          const auto& access = program_.accesses[op.extra];
          if (access.ordering != Ordering::weak) warp->known_copies = block.copies_started;
          if (timing_ != nullptr && timing_->waits.is_poll(op)) memory_.note_poll(block, *warp, split, access, active);
          if (access.ordering != Ordering::weak || program_.text->debug) split.looked = true;
          if (!memory_.access<false>(block, *warp, split, op, access, active)) return fault();
          if (block.copies_pending != 0 && warp->copies->under_way != 0) memory_.count_during_copies(op, access);
        }
        ++at;
        break;
      case MicroOpcode::store:
        if (active != 0 && timing_ != nullptr && timing_->waits.has_polls())
          memory_.note_write(block, *warp, split, program_.accesses[op.extra], active);
        if (active != 0 && !memory_.access<true>(block, *warp, split, op, program_.accesses[op.extra], active))
          return fault();
        ++at;
        break;
      case MicroOpcode::atomic:
        split.looked = true;
        if (active != 0 && !atomics_.execute(block, *warp, split, op, active)) return fault();
        ++at;
        break;
      case MicroOpcode::async_copy:
      case MicroOpcode::async_commit:
      case MicroOpcode::async_wait:
      case MicroOpcode::async_arrive:
      case MicroOpcode::async_look:
        if (active != 0 && !copies_.step(block, *warp, split, op, active)) return fault();
        ++at;
        break;
      case MicroOpcode::texture_fetch:
        if (active != 0 && !textures_.fetch(block, *warp, split, op, active)) return fault();
        ++at;
        break;
      case MicroOpcode::branch: {
        const auto& target = program_.branches[op.extra];
        if (op.guard_mode != MicroOp::Guard::always) warp->last_branch = op.counter;
        const MicroOp* const there = code + target.target;
        const bool backward = there <= at && active != 0;
        if (active == mask) {
          if (is_watched_) notify_skipped(block, target.skipped_by_all);
          counts_.jump(op.extra, lacking);
          if constexpr (traced) {
            recorder_->leave(block, *warp, pc() + 1);
            recorder_->enter(block, *warp, target.target, split.frame);
          }
          block.steps += pc() + 1 - run;
          run = target.target;
          at = there;
        } else if (active == 0) {
          if (is_watched_) notify_skipped(block, target.skipped_by_none);
          ++at;
        } else {
          ++counters_[op.counter].divergent_branches;
          count_until(pc() + 1);
          split.pc = pc();
          divergence_.branch(*warp, split, active, target);
          reload();
        }
        // Where no meeting expects these lanes, there is nothing to do here.
        if (!backward) {
          if (at->kind == MicroOpcode::reconverge && split.convergence_barrier == kNone) ++at;
          break;
        }
        const auto verdict = loops_.on_backward_branch(block, *warp, split, pc(), op);
        if (verdict == LoopDetector::Verdict::goes_on) break;
        if (verdict == LoopDetector::Verdict::endless) {
          suspend(Stop::yielded);
          loops_.report_endless(block);
          return Stop::fault;
        }
        count_until(pc());
        split.pc = pc();
        warp->splits.insert(warp->splits.begin(), split);
        return Stop::yielded;
      }
      case MicroOpcode::branch_indexed: {
        std::uint32_t targets[kWarpSize];
        split.pc = pc();
        if (!divergence_.find_targets(block, *warp, split, op, active, targets)) return fault();
        count_until(pc() + 1);
        if (divergence_.split_over_targets(*warp, split, targets, program_.branches[op.extra].reconverge) == Turn::lost)
          return Stop::waiting;
        reload();
        break;
      }
      case MicroOpcode::reconverge:
        if (split.convergence_barrier == kNone) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        split.pc = pc();
        if (divergence_.arrive(*warp, split) == Turn::lost) return Stop::waiting;
        reload();
        break;
      case MicroOpcode::call:
        split.pc = pc();
        if (program_.calls[op.extra].is_of_host()) {
          if (active != 0 && !host_.call(block, *warp, split, op, active)) return fault();
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (!calls_.call(block, *warp, split, op, active)) return Stop::fault;
        reload();
        break;
      case MicroOpcode::ret:
        count_until(pc() + 1);
        split.pc = pc();
        calls_.leave(*warp, split);
        reload();
        break;
      case MicroOpcode::exit:
        if (active == 0) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (active == warp->live && split.convergence_barrier == kNone && split.activation == kNone) {
          warp->live = 0;
          block.exited += count_lanes(active);
          block.barrier_due = block.barriers_in_use != 0;
          Warp* const next = warp_after(block, *warp);
          if (next == nullptr) return Stop::done;
          at_work = warp = next;
          if (timing_ != nullptr) timing_->turn_to(warp->index);
          split = warp->splits.back();
          warp->splits.pop_back();
          split.turn = ++turns_;
          reload();
          break;
        }
        split.pc = pc() + 1;
        if (divergence_.exit_lanes(block, *warp, split, active) == Turn::lost) return Stop::waiting;
        reload();
        break;
      case MicroOpcode::trap:
      case MicroOpcode::breakpoint:  // without a debugger
        if (active == 0) {
          ++at;
          break;
        }
        report(grid_, block, finding_at(grid_, block, *warp, op, active, FindingKind::trap));
        return fault();
      case MicroOpcode::barrier: {
        if (active == 0) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (active == mask && barriers_.wait_for_block(block, *warp, split, pc(), op)) return Stop::waiting;
        const Sync sync = barriers_.execute(block, *warp, split, pc(), op, active);
        if (sync == Sync::fault) return Stop::fault;
        if (sync == Sync::parked) return Stop::waiting;
        split.pc = pc() + 1;
        reload();
        break;
      }
      case MicroOpcode::warp_sync:
      case MicroOpcode::shuffle:
      case MicroOpcode::vote:
      case MicroOpcode::match:
      case MicroOpcode::warp_reduce:
      case MicroOpcode::elect: {
        if (active == 0) {
          ++at;
          break;
        }
        split.pc = pc();
        const Sync sync = warps_.execute(block, *warp, split, op, active);
        if (sync == Sync::passed && split.mask == mask) {  // together with the lanes that it waited for
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (sync == Sync::fault) return Stop::fault;
        if (sync == Sync::parked) return Stop::waiting;
        reload();
        break;
      }
      case MicroOpcode::matrix:
        if (active != 0) {
          if (active != ~0u) {
            count_until(pc());
            split.pc = pc();
            warp->wait_for_lanes(split, op.counter, active);
            return Stop::waiting;
          }
          if (!tensors_.execute(block, *warp, split, op)) return fault();
        }
        ++at;
        break;
      case MicroOpcode::active_mask:
        if constexpr (watched) values_->result(*warp, split, op.d, active);
        kernels_.fill32(frame + op.d, active, active);
        ++at;
        break;
      case MicroOpcode::clock: {
        if constexpr (watched) values_->result(*warp, split, op.d, mask);
        const std::uint64_t now = loops_.read_clock(block, block.steps + (pc() + 1 - run), op);
        const std::uint64_t value = op.extra == 1 || op.extra == 5 ? now >> 32 : now;
        (op.f != 0 ? kernels_.fill64 : kernels_.fill32)(frame + op.d, value, mask);
        ++at;
        break;
      }
      case MicroOpcode::fence:
        if (active != 0) fence(block, *warp, op);
        warp->known_copies = block.copies_started;
        split.looked = true;
        ++at;
        break;
      case MicroOpcode::nanosleep:
        split.looked = true;
        ++at;
        break;
      case MicroOpcode::nop:
        if (op.extra == kWaitsForPrimary && grid_.launch.primary) grid_.launch.primary();
        ++at;
        break;
    }
  }
}

template Interpreter::Stop Interpreter::run_split<Interpreter::Follows::nothing>(Block& block, Warp*& at_work,
                                                                                 WarpSplit* place);
template Interpreter::Stop Interpreter::run_split<Interpreter::Follows::values>(Block& block, Warp*& at_work,
                                                                                WarpSplit* place);
template Interpreter::Stop Interpreter::run_split<Interpreter::Follows::runs>(Block& block, Warp*& at_work,
                                                                              WarpSplit* place);

}  // namespace cudasim
