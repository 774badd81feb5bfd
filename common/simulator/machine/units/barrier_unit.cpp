// SPDX-License-Identifier: MIT
#include "machine/units/barrier_unit.h"

#include <string>

#include "messages/finding_messages.h"
#include "messages/missing_lanes.h"

namespace cudasim {

Sync BarrierUnit::refuse(Block& block, const Warp& warp, const MicroOp& op, Mask mask, const char* what) {
  Finding f = finding_at(grid_, block, warp, op, mask, FindingKind::barrier_divergence);
  f.message = what;
  f.advice = "see the PTX manual, 'bar, barrier'";
  report(grid_, block, std::move(f));
  return Sync::fault;
}

Sync BarrierUnit::arrive(Block& block, Warp& warp, const WarpSplit& split, std::uint32_t pc, const MicroOp& op,
                         Mask mask) {
  using Mode = BarrierOperation::Mode;
  const auto& operation = program_.barriers[op.extra];
  const std::byte* frame = warp.frames + split.frame;
  const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
  std::uint32_t id, count = 0;
  std::memcpy(&id, frame + op.a + 4 * lane, 4);
  if (operation.has_count) std::memcpy(&count, frame + op.b + 4 * lane, 4);
  if (id >= block.barriers.size()) return refuse(block, warp, op, mask, "a barrier number above 15");
  if (operation.has_count && (count == 0 || count % kWarpSize != 0))
    return refuse(block, warp, op, mask, "a barrier for a number of threads that is not a multiple of 32");
  auto& barrier = block.barriers[id];
  if ((block.barriers_in_use >> id & 1) == 0) {
    barrier = BlockBarrier{};
    barrier.expected = count;
    block.barriers_in_use |= 1u << id;
  }
  if (barrier.expected != count)
    return refuse(block, warp, op, mask, "two uses of one barrier that expect different numbers of threads");
  // A count is in whole warps: the threads that the last warp lacks count as arrived.
  count_arrival(block, barrier, op, count != 0 && mask == warp.live ? kWarpSize : count_lanes(mask));
  if (operation.reduces()) {
    Mask predicate;
    std::memcpy(&predicate, frame + op.c, sizeof predicate);
    predicate &= mask;
    barrier.reduces = true;
    barrier.any |= predicate != 0;
    barrier.all &= predicate == mask;
    barrier.population += static_cast<std::uint32_t>(__builtin_popcount(predicate));
  }
  if (operation.mode == Mode::arrive) {
    for (const auto& watcher : watchers_) watcher->arrive(block, warp, id, operation.aligned ? warp.exists : mask);
    return Sync::passed;
  }
  warp.waiting = mask == warp.live;  // the whole warp: nothing else of it can run
  warp.park(split, pc + 1, WarpSplit::State::in_barrier).barrier = id;
  return Sync::parked;
}

Sync BarrierUnit::execute(Block& block, Warp& warp, WarpSplit& split, std::uint32_t pc, const MicroOp& op, Mask mask) {
  if (values_ != nullptr && program_.barriers[op.extra].reduces()) {
    // Every thread of the block gets the answer and branches on it.
    values_->decision({block, warp, split, op}, op.c, mask);
    values_->result(warp, split, op.d, mask);
  }
  if (mask != split.mask) {  // `@p bar.sync`: the lanes without p go on
    WarpSplit others = split;
    others.mask = split.mask & ~mask;
    warp.part(op.counter, mask, others.mask);
    others.pc = pc + 1;
    warp.splits.push_back(others);
    split.mask = mask;
  }
  if (program_.barriers[op.extra].aligned && mask != warp.live) {
    warp.park(split, pc, WarpSplit::State::before_barrier);
    return Sync::parked;
  }
  return arrive(block, warp, split, pc, op, mask);
}

void BarrierUnit::open(Block& block, std::uint32_t id) {
  using Mode = BarrierOperation::Mode;
  const BlockBarrier barrier = block.barriers[id];
  block.barriers_in_use &= ~(1u << id);
  WarpLanes lanes{};
  for (auto& warp : block.warps) {
    for (auto& split : warp.splits) {
      if (split.state != WarpSplit::State::in_barrier || split.barrier != id) continue;
      // Where the warp comes as a whole, lanes that have left the kernel count as arrived.
      const bool is_whole = barrier.expected == 0 || program_.barriers[program_.code[split.pc - 1].extra].aligned;
      lanes[warp.index] |= is_whole ? warp.exists : split.mask;
      warp.known_copies = block.copies_started;
      split.state = WarpSplit::State::runnable;
      warp.waiting = false;
      if (!barrier.reduces) continue;
      const auto& op = program_.code[split.pc - 1];
      const Mode mode = program_.barriers[op.extra].mode;
      std::byte* slot = warp.frames + split.frame + op.d;
      if (mode == Mode::reduce_popc) {
        for (Mask m = split.mask; m != 0; m &= m - 1) std::memcpy(slot + 4 * __builtin_ctz(m), &barrier.population, 4);
      } else if (mode == Mode::reduce_and || mode == Mode::reduce_or) {
        Mask bits;
        std::memcpy(&bits, slot, sizeof bits);
        const bool value = mode == Mode::reduce_and ? barrier.all : barrier.any;
        bits = (bits & ~split.mask) | (value ? split.mask : 0);
        std::memcpy(slot, &bits, sizeof bits);
      }
    }
  }
  for (const auto& watcher : watchers_) watcher->open_barrier(block, id, lanes);
}

/// A barrier opens at which threads that have left the kernel never arrived.
void BarrierUnit::warn_of_exits(const Block& block, std::uint32_t id) {
  const Warp* waiting = &block.warps.front();
  Mask lanes = 0;
  for (const auto& warp : block.warps) {
    for (const auto& split : warp.splits) {
      if (split.state == WarpSplit::State::in_barrier && split.barrier == id && lanes == 0) {
        waiting = &warp;
        lanes = split.mask;
      }
    }
  }
  MicroOp place;
  place.counter = block.barriers[id].counter;
  Finding f = finding_at(grid_, block, *waiting, place, lanes, FindingKind::barrier_divergence);
  f.severity = Severity::warning;
  f.cuda_error = 0;
  f.message = "a barrier that " + std::to_string(block.exited) + " of the block's " + std::to_string(block.threads) +
              " threads never reach: they have already left the kernel" + exits_before(program_, block, place);
  f.advice =
      "a GPU lets this pass, as it waits only for threads that have not left; but __syncthreads() is for all "
      "threads "
      "of the block, and what the others need of the missing ones is missing too: keep all threads to the end, and "
      "guard only their work";
  report(grid_, block, std::move(f));
}

bool BarrierUnit::complete(Block& block) {
  bool opened = false;
  block.barrier_due = false;
  for (std::uint32_t left = block.barriers_in_use; left != 0; left &= left - 1) {
    const auto id = static_cast<std::uint32_t>(__builtin_ctz(left));
    auto& barrier = block.barriers[id];
    const std::uint64_t expected = barrier.expected != 0 ? barrier.expected : block.threads - block.exited;
    if (barrier.arrived < expected) continue;
    if (barrier.expected == 0 && block.exited != 0) warn_of_exits(block, id);
    open(block, id);
    opened = true;
  }
  return opened;
}

}  // namespace cudasim
