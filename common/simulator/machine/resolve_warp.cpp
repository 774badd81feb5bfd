// SPDX-License-Identifier: MIT
// What a warp waits for when none of its splits can run.
#include <algorithm>
#include <string>
#include <utility>

#include "machine/interpreter.h"
#include "messages/finding_messages.h"
#include "messages/missing_lanes.h"
#include "messages/shuffle_messages.h"

namespace cudasim {

using State = WarpSplit::State;

/// Lanes of a warp have come to aligned barriers. If all are at one, they execute it together. False: it is a fault.
bool Interpreter::join_before_barrier(Block& block, Warp& warp, Mask before, bool operation_waits) {
  const auto is_before = [](const WarpSplit& f) { return f.state == State::before_barrier; };
  WarpSplit split = *std::find_if(warp.splits.begin(), warp.splits.end(), is_before);
  const bool one_place = std::all_of(warp.splits.begin(), warp.splits.end(), [&](const WarpSplit& f) {
    return !is_before(f) || (f.pc == split.pc && f.activation == split.activation);
  });
  const MicroOp& op = program_.code[split.pc];
  if (before != warp.live && divergence_.release_waiting(warp, true)) return true;
  if (before != warp.live || !one_place) {
    const Mask others = warp.live & ~split.mask;
    Finding f = finding_at(grid_, block, warp, op, split.mask, FindingKind::barrier_divergence);
    f.message = "a barrier in divergent code: " + std::to_string(__builtin_popcount(split.mask)) + " of the warp's " +
                std::to_string(__builtin_popcount(warp.live)) + " threads are at this barrier; " +
                describe_missing_lanes(program_, warp, others, split.mask);
    if (operation_waits) {
      f.advice =
          "they wait for each other: the barrier is for all threads of the block, and the function of the warp where "
          "the others wait is for all lanes that its mask names. Take whichever of the two stands in a branch out of "
          "it, and guard only the work";
    }
    report(grid_, block, std::move(f));
    return false;
  }
  warp.splits.erase(std::remove_if(warp.splits.begin(), warp.splits.end(), is_before), warp.splits.end());
  split.mask = before;
  split.state = State::runnable;
  const Sync sync = barriers_.arrive(block, warp, split, split.pc, op, before);
  if (sync == Sync::fault) return false;
  ++split.pc;
  if (sync == Sync::passed) warp.splits.push_back(split);
  return true;
}

/// No split of the warp can run. Finds out what it waits for; true when something can run now.
bool Interpreter::resolve_warp(Block& block, Warp& warp, Stop& stop) {
  if (warps_.complete(block, warp) || tensors_.join_lanes(warp)) return true;
  Mask before = 0, inside = 0, at_operation = 0;
  for (const auto& f : warp.splits) {
    if (f.state == State::in_barrier) inside |= f.mask;
    if (f.state == State::at_warp_operation) at_operation |= f.mask;
    if (f.state == State::before_barrier) before |= f.mask;
  }
  if (before != 0) {
    if (join_before_barrier(block, warp, before, at_operation != 0)) return true;
    stop = Stop::fault;
    return false;
  }
  if (divergence_.release_waiting(warp)) return true;
  if (at_operation != 0 && inside == 0) {
    const auto waiting = std::find_if(warp.splits.begin(), warp.splits.end(),
                                      [](const WarpSplit& f) { return f.state == State::at_warp_operation; });
    report_missing_lanes(grid_, block, warp, *waiting);
    stop = Stop::fault;
    return false;
  }
  warp.waiting = true;
  stop = Stop::waiting;
  return false;
}

}  // namespace cudasim
