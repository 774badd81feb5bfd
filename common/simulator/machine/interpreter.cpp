// SPDX-License-Identifier: MIT
// The loop that runs the instructions of a fragment.
#include "machine/interpreter.h"

#include <algorithm>
#include <cstring>

#include "messages/stuck_block.h"

namespace cudasim {
namespace {

/// Backward branches, each after a look at memory that others write, until a fragment counts as spinning.
constexpr std::uint32_t spin_limit = 1000;
/// The same at a barrier of the grid, once the block has spun: hundreds of others may do so too, and one of them is
/// late.
constexpr std::uint32_t looks_of_a_waiting_block = 16;

bool touches_memory(Kind kind) {
  return kind == Kind::load || kind == Kind::store || kind == Kind::atomic || kind == Kind::async_copy;
}

}  // namespace

/// Whether blocks may speak to each other by this access: a flag, a ticket, a lock.
bool Interpreter::reaches_other_blocks(const MicroOp& op) const {
  if (op.kind == Kind::async_copy) return false;
  const bool atomic = op.kind == Kind::atomic;
  const MemoryAccess& access = atomic ? program_.atomics[op.extra].address : program_.accesses[op.extra];
  return (atomic || access.ordering != Ordering::weak) && access.space != ptx::Space::shared;
}

bool Interpreter::interrupts_here(Block& block, Warp& warp, const MicroOp& op) {
  if (warp.interrupted) {
    warp.interrupted = false;
    return false;
  }
  const bool adversarial = grid_.schedule.order == Schedule::Order::adversarial;
  const bool reaches = reaches_other_blocks(op);
  warp.interrupted = adversarial || random(reaches ? 2 : 4) == 0;
  if (warp.interrupted && reaches) {
    // Who looks and then acts, in two steps, shall meet others who have looked and not yet acted: in adversarial order
    // blocks change places before every second such access.
    block.has_looked = !block.has_looked;
    block.gives_way |= adversarial ? !block.has_looked : random(2) == 0;
  }
  return warp.interrupted;
}

// Inline in the loop, as kernels of short steps come here more often than anywhere else.
inline bool Interpreter::wait_for_block(Block& block, Warp& warp, const Fragment& fragment, std::uint32_t pc,
                                        const MicroOp& op) {
  const auto& operation = program_.barriers[op.extra];
  if (operation.mode != BarrierOperation::Mode::sync || operation.has_count || fragment.mask != warp.live) return false;
  std::uint32_t id;
  std::memcpy(&id, warp.frames + fragment.frame + op.a + 4 * __builtin_ctz(fragment.mask), sizeof id);
  if (id >= block.barriers.size() || (block.barriers_in_use >> id & 1) == 0) return false;  // somebody is there
  auto& barrier = block.barriers[id];
  if (barrier.expected != 0) return false;
  count_arrival(block, barrier, op, count_lanes(fragment.mask));
  warp.waiting = true;
  warp.park(fragment, pc + 1, Fragment::State::in_barrier).barrier = id;
  return true;
}

/// An access of a whole warp, of a block that knows where its accesses lie. False: nothing has been done.
template <bool is_store>
[[gnu::always_inline]] inline bool Interpreter::move_known(std::byte* frame, const MicroOp& op) {
  Known& known = known_[op.extra];
  std::uint64_t place = known.place(frame);
  if (place >= known.end) {
    if (known.bytes == 0 || !find_memory(frame, op, known)) return false;
    place = known.place(frame);
  }
  if ((place & (known.bytes - 1)) != 0) return false;
  const bool is_wide = known.bytes == 8;
  auto& requests = is_store ? known.counters->global_store_requests : known.counters->global_load_requests;
  auto& sectors = is_store ? known.counters->global_store_sectors : known.counters->global_load_sectors;
  ++requests;
  sectors += (is_wide ? 8 : 4) + (place % 32 != 0 ? 1 : 0);
  std::byte* const memory = known.memory + place;
  std::byte* const slot = frame + known.slot;
  additions_.before(memory, is_wide ? 256 : 128);
  look_ahead(known.last, memory, 128, is_store);
  kernels_.copy_all(is_store ? memory : slot, is_store ? slot : memory, is_wide);
  return true;
}

/// The warp whose turn it is when this one has left the kernel; null where something else may have to be done before.
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
  // Instructions are counted a straight run at a time: `run` is its first one, and all lanes go through it together.
  std::uint32_t run = 0, lacking = 0;
  // All of these inline: what one of them refers to out of line stays in memory.
  const auto pc = [&]() __attribute__((always_inline)) { return static_cast<std::uint32_t>(at - code); };
  const auto reload = [&]() __attribute__((always_inline)) {
    run = fragment.pc;
    at = code + run;
    mask = fragment.mask;
    frame = warp->frames + fragment.frame;
    lacking = warp_size - count_lanes(mask);
    executed_[run].add(lacking);
  };
  const auto count_until = [&](std::uint32_t end) __attribute__((always_inline)) {
    executed_[end].take(lacking);
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
    // Register operations without a guard, the bulk of most kernels, need nothing of what follows.
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
        (op.kind == Kind::store ? move_known<true>(frame, op) : move_known<false>(frame, op))) {
      ++at;
      continue;
    }
    Mask active = mask;
    if (op.guard_mode != MicroOp::Guard::always) {
      Mask guard;
      std::memcpy(&guard, frame + op.guard, sizeof guard);
      active &= op.guard_mode == MicroOp::Guard::if_true ? guard : ~guard;
    }
    if (preempts_ && touches_memory(op.kind) && interrupts_here(block, *warp, op)) return suspend(Stop::yielded);
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
          if (!access_memory(block, *warp, fragment, op, access, active)) return fault();
        }
        ++at;
        break;
      case Kind::store:
        if (active != 0 && !access_memory(block, *warp, fragment, op, program_.accesses[op.extra], active))
          return fault();
        ++at;
        break;
      case Kind::atomic:
        fragment.looked = true;
        if (active != 0 && !atomic(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::async_copy:
      case Kind::async_commit:
      case Kind::async_wait:
      case Kind::async_arrive:
      case Kind::async_look:
        if (active != 0 && !async_step(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::texture_fetch:
        if (active != 0 && !fetch_texture(block, *warp, fragment, op, active)) return fault();
        ++at;
        break;
      case Kind::branch: {
        const auto& target = program_.branches[op.extra];
        if (op.guard_mode != MicroOp::Guard::always) warp->last_branch = op.counter;
        const MicroOp* const there = code + target.target;
        const bool backward = there <= at && active != 0;
        if (active == mask) {
          if (is_watched_) tell_skipped(block, target.skipped_by_all);
          jumped_[op.extra].add(lacking);
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
          branch(*warp, fragment, active, target);
          reload();
        }
        // Where nobody waits for these lanes, there is nothing to do at a meeting.
        if (!backward) {
          if (at->kind == Kind::reconverge && fragment.meeting == none) ++at;
          break;
        }
        if (block.steps > block.alarm) {
          fragment.pc = pc();
          FindingKind kind;
          if (is_endless(block, *warp, fragment, op, kind)) {
            suspend(Stop::yielded);
            report(grid_, block, stuck_block(grid_, block, kind, is_full()));
            return Stop::fault;
          }
        }
        if (!fragment.looked) {
          fragment.polls = 0;
          break;
        }
        ++fragment.polls;
        fragment.looked = false;
        const bool waits =
            block.has_waited && grid_.launch.cooperative && fragment.polls % looks_of_a_waiting_block == 0;
        if (waits || fragment.polls >= spin_limit) {
          // Spinning: whoever it waits for must get a turn, be it lanes that wait to meet this one, or other warps.
          if (fragment.polls >= spin_limit) {
            fragment.polls = 0;
            release_waiting(*warp);
          }
          if (repetitions_[block.slot].of_block == nullptr)
            block.alarm = block.next_look = std::min(block.next_look, steps_before_a_spinning_block_looks);
          count_until(pc());
          fragment.pc = pc();
          warp->fragments.insert(warp->fragments.begin(), fragment);
          return Stop::yielded;
        }
        break;
      }
      case Kind::branch_indexed: {
        const auto& table = program_.branches[op.extra];
        if constexpr (watched) values_->decision({block, *warp, fragment, op}, op.a, active);
        std::uint32_t targets[warp_size];
        const auto* indices = reinterpret_cast<const std::uint32_t*>(frame + op.a);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
          if (((mask >> lane) & 1) == 0) continue;
          targets[lane] = pc() + 1;
          if (((active >> lane) & 1) == 0) continue;
          if (indices[lane] >= table.targets.size()) {
            report(grid_, block, finding_at(grid_, block, *warp, op, 1u << lane, FindingKind::invalid_target));
            return fault();
          }
          targets[lane] = table.targets[indices[lane]];
        }
        count_until(pc() + 1);
        fragment.pc = pc();
        if (split_over_targets(*warp, fragment, targets, table.reconverge) == Turn::lost) return Stop::waiting;
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
        if (arrive(*warp, fragment) == Turn::lost) return Stop::waiting;
        reload();
        break;
      case Kind::call:
        fragment.pc = pc();
        switch (program_.calls[op.extra].callee) {
          case Call::Callee::function:
          case Call::Callee::indirect:
            count_until(pc() + 1);
            if (call(block, *warp, fragment, op, active) == Turn::lost) return Stop::fault;
            reload();
            break;
          case Call::Callee::printf:
          case Call::Callee::assert_fail:
          case Call::Callee::malloc:
          case Call::Callee::free:
            if (active != 0 && !call_host(block, *warp, fragment, op, active)) return fault();
            ++at;
            break;
        }
        break;
      case Kind::ret:
        count_until(pc() + 1);
        fragment.pc = pc();
        leave(*warp, fragment);
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
        if (exit_lanes(block, *warp, fragment, active) == Turn::lost) return Stop::waiting;
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
        if (active == mask && wait_for_block(block, *warp, fragment, pc(), op)) return Stop::waiting;
        const Sync sync = barrier(block, *warp, fragment, pc(), op, active);
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
        const Sync sync = warp_operation(block, *warp, fragment, op, active);
        if (sync == Sync::passed && fragment.mask == mask) {  // together with whom it waited for
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
            wait_for_warp(*warp, fragment, op, active);
            return Stop::waiting;
          }
          if (!matrix_operation(block, *warp, fragment, op)) return fault();
        }
        ++at;
        break;
      case Kind::active_mask:
        if constexpr (watched) values_->result(*warp, fragment, op.d, active);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
          if ((active >> lane) & 1) reinterpret_cast<std::uint32_t*>(frame + op.d)[lane] = active;
        }
        ++at;
        break;
      case Kind::clock: {
        if constexpr (watched) values_->result(*warp, fragment, op.d, mask);
        const std::uint64_t now = read_clock(block, block.steps + (pc() + 1 - run), op);
        const std::uint64_t value = op.extra == 1 || op.extra == 5 ? now >> 32 : now;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
          if (((mask >> lane) & 1) == 0) continue;
          if (op.f != 0) {
            reinterpret_cast<std::uint64_t*>(frame + op.d)[lane] = value;
          } else {
            reinterpret_cast<std::uint32_t*>(frame + op.d)[lane] = static_cast<std::uint32_t>(value);
          }
        }
        ++at;
        break;
      }
      case Kind::fence:
        for (const auto& watcher : watchers_) {
          if (active != 0) watcher->fence(block, *warp, op.extra == fence_of_grid);
        }
        if (active != 0 && op.extra == fence_of_grid) additions_.flush();
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
