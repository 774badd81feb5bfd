// SPDX-License-Identifier: MIT
#include "machine/interpreter.h"

#include <algorithm>
#include <cstring>

#include "messages/finding_messages.h"

namespace cudasim {
namespace {

bool touches_memory(Kind kind) {
  return kind == Kind::load || kind == Kind::store || kind == Kind::atomic || kind == Kind::async_copy;
}

}  // namespace

Interpreter::Interpreter(Worker& worker)
    : Unit(worker),
      is_watched_(!worker.watchers.empty()),
      preempts_(worker.preempts),
      skips_settled_(worker.skips_settled),
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
      loops_(worker, counts_, memory_, atomics_, divergence_),
      preemption_(worker) {}

/// A branch that ptxas makes a predicate, and over which all lanes go the same way. ExecutionCounts::add_to() counts
/// how often they do.
void Interpreter::tell_skipped(const Block& block, const std::vector<Branch::Skipped>& accesses) const {
  for (const auto& access : accesses) {
    for (const auto& watcher : watchers_) watcher->idle(block, access.is_store);
  }
}

void Interpreter::fence(const Block& block, Warp& warp, const MicroOp& op) {
  for (const auto& watcher : watchers_) watcher->fence(block, warp, op.extra == fence_of_grid);
  if (op.extra == fence_of_grid) worker_.additions.flush();
}

/// The warp whose turn it is when this one has left the kernel; null where other work may come first.
inline Warp* Interpreter::warp_after(Block& block, const Warp& warp) const {
  Warp* const next = block.warps.data() + warp.index + 1;
  if (next == block.warps.data() + block.warps.size() || preempts_ || block.barrier_due || block.steps > step_budget_)
    return nullptr;
  const bool runs = next->live != 0 && !next->waiting && !next->fragments.empty() &&
                    next->fragments.back().state == Fragment::State::runnable;
  return runs ? next : nullptr;
}

template <bool watched>
Interpreter::Stop Interpreter::run_fragment(Block& block, Warp*& at_work, Fragment* place) {
  Warp* warp = at_work;
  Fragment fragment = *place;
  fragment.turn = ++turns_;
  if (place == &warp->fragments.back()) {
    warp->fragments.pop_back();
  } else {
    warp->fragments.erase(warp->fragments.begin() + (place - warp->fragments.data()));
  }
  const MicroOp* const code = program_.code.data();
  const MicroOp* at = nullptr;  // the operation that is next
  std::byte* frame = nullptr;
  Mask mask = 0;
  // Instructions are counted a straight run at a time. `run` is its first one, and all lanes go through it together.
  std::uint32_t run = 0, lacking = 0;
  // All of these are inline: what an out-of-line function refers to stays in memory.
  const auto pc = [&]() __attribute__((always_inline)) { return static_cast<std::uint32_t>(at - code); };
  const auto reload = [&]() __attribute__((always_inline)) {
    run = fragment.pc;
    at = code + run;
    mask = fragment.mask;
    frame = warp->frames + fragment.frame;
    lacking = warp_size - count_lanes(mask);
    counts_.enter(run, lacking);
  };
  const auto count_until = [&](std::uint32_t end) __attribute__((always_inline)) {
    counts_.leave(end, lacking);
    block.steps += end - run;
  };
  const auto suspend = [&](Stop stop) __attribute__((always_inline)) {
    count_until(pc());
    fragment.pc = pc();
    warp->fragments.push_back(fragment);
    return stop;
  };
  const auto fault = [&]() __attribute__((always_inline)) {
    count_until(pc() + 1);
    return Stop::fault;
  };
  reload();
  for (;;) {
    // Register operations without a guard, the bulk of most kernels, skip all that follows.
    bool plain = true;
    if constexpr (watched) plain = !warp->values->any;
    if (plain)
      for (;;) {
        for (; is_straight(*at); ++at) at->execute(frame, *at, mask);
        if (at->settled == 0 || !skips_settled_) break;
        at += at->settled;
      }
    const MicroOp& op = *at;
    if (op.e == at_shifted_address && block.knows_places && mask == ~0u &&
        (op.kind == Kind::store ? registers_.move_known<true>(frame, op) : registers_.move_known<false>(frame, op))) {
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
      if (warp->values->any) values_->instruction({block, *warp, fragment, op}, mask, active);
    }
    switch (op.kind) {
      case Kind::pure:
      case Kind::not_predicate:
        if (active != 0) op.execute(frame, op, active);
        ++at;
        break;
      case Kind::load:
        if (active != 0) {
          const auto& access = program_.accesses[op.extra];
          if (access.ordering != Ordering::weak) warp->heard_of = block.copies_started;
          if (access.ordering != Ordering::weak || program_.text->debug) fragment.looked = true;
          if (!memory_.access<false>(block, *warp, fragment, op, access, active)) return fault();
        }
        ++at;
        break;
      case Kind::store:
        if (active != 0 && !memory_.access<true>(block, *warp, fragment, op, program_.accesses[op.extra], active))
          return fault();
        ++at;
        break;
      case Kind::atomic:
        fragment.looked = true;
        if (active != 0 && !atomics_.execute(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::async_copy:
      case Kind::async_commit:
      case Kind::async_wait:
      case Kind::async_arrive:
      case Kind::async_look:
        if (active != 0 && !copies_.step(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::texture_fetch:
        if (active != 0 && !textures_.fetch(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::branch: {
        const auto& target = program_.branches[op.extra];
        if (op.guard_mode != MicroOp::Guard::always) warp->last_branch = op.counter;
        const MicroOp* const there = code + target.target;
        const bool backward = there <= at && active != 0;
        if (active == mask) {
          if (is_watched_) tell_skipped(block, target.skipped_by_all);
          counts_.jump(op.extra, lacking);
          block.steps += pc() + 1 - run;
          run = target.target;
          at = there;
        } else if (active == 0) {
          if (is_watched_) tell_skipped(block, target.skipped_by_none);
          ++at;
        } else {
          ++counters_[op.counter].divergent_branches;
          count_until(pc() + 1);
          fragment.pc = pc();
          divergence_.branch(*warp, fragment, active, target);
          reload();
        }
        // Where no meeting expects these lanes, there is nothing to do here.
        if (!backward) {
          if (at->kind == Kind::reconverge && fragment.meeting == none) ++at;
          break;
        }
        const auto verdict = loops_.on_backward_branch(block, *warp, fragment, pc(), op);
        if (verdict == LoopDetector::Verdict::goes_on) break;
        if (verdict == LoopDetector::Verdict::endless) {
          suspend(Stop::yielded);
          loops_.report_endless(block);
          return Stop::fault;
        }
        count_until(pc());
        fragment.pc = pc();
        warp->fragments.insert(warp->fragments.begin(), fragment);
        return Stop::yielded;
      }
      case Kind::branch_indexed: {
        std::uint32_t targets[warp_size];
        fragment.pc = pc();
        if (!divergence_.find_targets(block, *warp, fragment, op, active, targets)) return fault();
        count_until(pc() + 1);
        if (divergence_.split_over_targets(*warp, fragment, targets, program_.branches[op.extra].reconverge) ==
            Turn::lost)
          return Stop::waiting;
        reload();
        break;
      }
      case Kind::reconverge:
        if (fragment.meeting == none) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        fragment.pc = pc();
        if (divergence_.arrive(*warp, fragment) == Turn::lost) return Stop::waiting;
        reload();
        break;
      case Kind::call:
        fragment.pc = pc();
        if (program_.calls[op.extra].is_of_host()) {
          if (active != 0 && !host_.call(block, *warp, fragment, op, active)) return fault();
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (!calls_.call(block, *warp, fragment, op, active)) return Stop::fault;
        reload();
        break;
      case Kind::ret:
        count_until(pc() + 1);
        fragment.pc = pc();
        calls_.leave(*warp, fragment);
        reload();
        break;
      case Kind::exit:
        if (active == 0) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (active == warp->live && fragment.meeting == none && fragment.activation == none) {
          warp->live = 0;
          block.exited += count_lanes(active);
          block.barrier_due = block.barriers_in_use != 0;
          Warp* const next = warp_after(block, *warp);
          if (next == nullptr) return Stop::done;
          at_work = warp = next;
          fragment = warp->fragments.back();
          warp->fragments.pop_back();
          fragment.turn = ++turns_;
          reload();
          break;
        }
        fragment.pc = pc() + 1;
        if (divergence_.exit_lanes(block, *warp, fragment, active) == Turn::lost) return Stop::waiting;
        reload();
        break;
      case Kind::trap:
      case Kind::breakpoint:  // without a debugger
        if (active == 0) {
          ++at;
          break;
        }
        report(grid_, block, finding_at(grid_, block, *warp, op, active, FindingKind::trap));
        return fault();
      case Kind::barrier: {
        if (active == 0) {
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (active == mask && barriers_.wait_for_block(block, *warp, fragment, pc(), op)) return Stop::waiting;
        const Sync sync = barriers_.execute(block, *warp, fragment, pc(), op, active);
        if (sync == Sync::fault) return Stop::fault;
        if (sync == Sync::parked) return Stop::waiting;
        fragment.pc = pc() + 1;
        reload();
        break;
      }
      case Kind::warp_sync:
      case Kind::shuffle:
      case Kind::vote:
      case Kind::match:
      case Kind::warp_reduce:
      case Kind::elect: {
        if (active == 0) {
          ++at;
          break;
        }
        fragment.pc = pc();
        const Sync sync = warps_.execute(block, *warp, fragment, op, active);
        if (sync == Sync::passed && fragment.mask == mask) {  // together with the lanes that it waited for
          ++at;
          break;
        }
        count_until(pc() + 1);
        if (sync == Sync::fault) return Stop::fault;
        if (sync == Sync::parked) return Stop::waiting;
        reload();
        break;
      }
      case Kind::matrix:
        if (active != 0) {
          if (active != ~0u) {
            count_until(pc());
            fragment.pc = pc();
            warp->wait_for_lanes(fragment, op.counter, active);
            return Stop::waiting;
          }
          if (!tensors_.execute(block, *warp, fragment, op)) return fault();
        }
        ++at;
        break;
      case Kind::active_mask:
        if constexpr (watched) values_->result(*warp, fragment, op.d, active);
        kernels_.fill32(frame + op.d, active, active);
        ++at;
        break;
      case Kind::clock: {
        if constexpr (watched) values_->result(*warp, fragment, op.d, mask);
        const std::uint64_t now = loops_.read_clock(block, block.steps + (pc() + 1 - run), op);
        const std::uint64_t value = op.extra == 1 || op.extra == 5 ? now >> 32 : now;
        (op.f != 0 ? kernels_.fill64 : kernels_.fill32)(frame + op.d, value, mask);
        ++at;
        break;
      }
      case Kind::fence:
        if (active != 0) fence(block, *warp, op);
        warp->heard_of = block.copies_started;
        fragment.looked = true;
        ++at;
        break;
      case Kind::nanosleep:
        fragment.looked = true;
        ++at;
        break;
      case Kind::nop:
        ++at;
        break;
    }
  }
}

template Interpreter::Stop Interpreter::run_fragment<false>(Block& block, Warp*& at_work, Fragment* place);
template Interpreter::Stop Interpreter::run_fragment<true>(Block& block, Warp*& at_work, Fragment* place);

}  // namespace cudasim
