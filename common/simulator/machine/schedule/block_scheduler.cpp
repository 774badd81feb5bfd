// SPDX-License-Identifier: MIT
// Blocks: their storage, the values that their registers begin with, and whose turn it is: blocks on a worker, warps in
// a block, fragments of a warp.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/levels.h"
#include "checkers/watchers.h"
#include "machine/interpreter.h"
#include "messages/stuck_block.h"
#include "program/copy_slots.h"

namespace cudasim {
namespace {

// Warp instructions, whatever they cost: a program that may run without checks may run with them, and the same run must
// find the same. Some ten seconds of one core, but minutes for a loop of atomics of whole warps. A block of the course
// or of the samples takes a few millions. Most endless loops are found long before (loop_detector.h).
constexpr std::uint64_t default_step_budget = 1'000'000'000;
// Side by side, so many come to the same access before the first of them goes on: more than a warp has lanes, as a warp
// that looks at the blocks before its own looks at 32 of them at a time.
constexpr std::size_t blocks_side_by_side = 40;

bool differs_by_lane(FrameConstant::Source source) {
  using S = FrameConstant::Source;
  switch (source) {
    case S::tid_x:
    case S::tid_y:
    case S::tid_z:
    case S::laneid:
    case S::lanemask_eq:
    case S::lanemask_le:
    case S::lanemask_lt:
    case S::lanemask_ge:
    case S::lanemask_gt:
      return true;
    default:
      return false;
  }
}

}  // namespace

Interpreter::Interpreter(Grid& grid, const std::shared_ptr<RaceWatch>& races)
    : worker_(grid, races),
      memory_(worker_),
      atomics_(worker_, memory_),
      copies_(worker_, memory_, atomics_),
      tensors_(worker_, memory_),
      textures_(worker_),
      counts_(grid.program),
      grid_(grid),
      program_(grid.program),
      kernels_(worker_.kernels),
      counters_(worker_.counters.get()),
      watchers_(worker_.watchers),
      values_(worker_.values.get()),
      local_bytes_(worker_.local_bytes),
      preempts_(worker_.preempts),
      skips_settled_(worker_.skips_settled),
      blocks_(worker_.blocks),
      step_budget_(grid.schedule.step_budget != 0 ? grid.schedule.step_budget : default_step_budget),
      is_watched_(!worker_.watchers.empty()),
      side_by_side_(grid.schedule.order == Schedule::Order::adversarial &&
                    (grid.schedule.seed + grid.launch.times_before) % 2 == 0) {
  start_.pc = program_.functions[0].entry;
  start_.mask = ~0u;
  for (const auto& constant : program_.functions[0].constants) {
    if (differs_by_block(constant.source)) block_constants_.push_back(constant);
  }
}

Interpreter::~Interpreter() = default;

std::uint64_t Interpreter::random(std::uint64_t below) {
  if (!random_) random_.emplace(grid_.schedule.seed);
  return (*random_)() % below;
}

std::uint64_t Interpreter::constant_value(const Block& block, const Warp& warp, const FrameConstant& constant,
                                          unsigned lane, std::uint32_t local) const {
  using S = FrameConstant::Source;
  const auto& dim = grid_.launch.block;
  const auto& grid = grid_.launch.grid;
  const std::uint32_t thread = warp.index * warp_size + lane;
  switch (constant.source) {
    case S::bits:
      return constant.bits;
    case S::frame_address:
      return local + constant.bits;
    case S::tid_x:
      return thread % dim.x;
    case S::tid_y:
      return thread / dim.x % dim.y;
    case S::tid_z:
      return thread / dim.x / dim.y;
    case S::ntid_x:
      return dim.x;
    case S::ntid_y:
      return dim.y;
    case S::ntid_z:
      return dim.z;
    case S::ctaid_x:
      return block.index[0];
    case S::ctaid_y:
      return block.index[1];
    case S::ctaid_z:
      return block.index[2];
    case S::nctaid_x:
      return grid.x;
    case S::nctaid_y:
      return grid.y;
    case S::nctaid_z:
      return grid.z;
    case S::laneid:
      return lane;
    case S::warpid:
      return warp.index;
    case S::nwarpid:
      return grid_.warps_per_block;
    case S::smid:
      return block.linear % grid_.schedule.multiprocessors;
    case S::nsmid:
      return grid_.schedule.multiprocessors;
    case S::gridid:
      return 1;
    case S::lanemask_eq:
      return 1u << lane;
    case S::lanemask_le:
      return ~0u >> (31 - lane);
    case S::lanemask_lt:
      return (1u << lane) - 1;
    case S::lanemask_ge:
      return ~0u << lane;
    case S::lanemask_gt:
      return ~0u << lane << 1;
    case S::dynamic_smem_size:
      return grid_.launch.dynamic_shared_bytes;
    case S::total_smem_size:
      return program_.static_shared_bytes + grid_.launch.dynamic_shared_bytes;
    case S::envreg1:
      return grid_.grid_barrier_address >> 32;
    case S::envreg2:
      return grid_.grid_barrier_address & 0xffffffffu;
    case S::zero:
      return 0;
    case S::poison:
      return 0x0101010101010101u * static_cast<std::uint64_t>(worker_.poison);
  }
  return 0;
}

void Interpreter::write_constant(const Block& block, Warp& warp, const FrameConstant& constant, std::uint32_t frame,
                                 std::uint32_t local, Mask mask) const {
  std::byte* slot = warp.frames + frame + constant.slot;
  if (constant.width == FrameConstant::Width::predicate) {
    Mask bits;
    std::memcpy(&bits, slot, sizeof bits);
    bits = (bits & ~mask) | (static_cast<Mask>(constant.bits) & mask);
    std::memcpy(slot, &bits, sizeof bits);
    return;
  }
  if (!differs_by_lane(constant.source)) {
    const std::uint64_t value = constant_value(block, warp, constant, 0, local);
    (constant.width == FrameConstant::Width::wide ? kernels_.fill64 : kernels_.fill32)(slot, value, mask);
    return;
  }
  const auto& dim = grid_.launch.block;
  if (constant.source == FrameConstant::Source::tid_x && constant.width == FrameConstant::Width::narrow &&
      dim.y * dim.z == 1) {  // no divisions, as nearly every kernel asks for it
    std::uint32_t threads[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) threads[lane] = warp.index * warp_size + lane;
    return kernels_.copy32(slot, threads, mask);
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const std::uint64_t value = constant_value(block, warp, constant, lane, local);
    if (constant.width == FrameConstant::Width::wide) {
      std::memcpy(slot + 8 * lane, &value, 8);
    } else {
      std::memcpy(slot + 4 * lane, &value, 4);
    }
  }
}

/// Carries out what has the same result in every block (Program::settled).
void Interpreter::settle(Warp& warp) {
  for (const std::uint32_t pc : program_.settled) {
    const MicroOp& op = program_.code[pc];
    if (op.kind == Kind::pure) {
      op.execute(warp.frames, op, ~0u);
    } else {
      memory_.fill_parameter(warp.frames, program_.accesses[op.extra], ~0u);
    }
  }
}

/// Gives the block its storage; what stays the same from block to block is written once, here.
void Interpreter::prepare(Block& block) {
  const std::size_t shared = round_up(std::size_t{grid_.shared_bytes} + 1, 64);
  const std::size_t total = worker_.bytes_of_warp * grid_.warps_per_block + shared;
  block.storage = take_storage(total);
  block.storage_bytes = total;
  block.slot = static_cast<std::uint32_t>(blocks_.size() - 1);
  repetitions_.resize(blocks_.size());
  block.threads = static_cast<std::uint32_t>(grid_.launch.block.count());
  block.warps.resize(grid_.warps_per_block);
  std::byte* next = block.storage.get();
  for (std::uint32_t w = 0; w < grid_.warps_per_block; ++w) {
    auto& warp = block.warps[w];
    warp.index = w;
    warp.frames = next;
    warp.local = next + worker_.bytes_of_frames;
    next += worker_.bytes_of_warp;
    const std::uint32_t threads = std::min(block.threads - w * warp_size, warp_size);
    warp.exists = threads == warp_size ? ~0u : (1u << threads) - 1;
    for (const auto& constant : program_.functions[0].constants) write_constant(block, warp, constant, 0, 0, ~0u);
    if (skips_settled_) settle(warp);
  }
  block.shared = next;
  if (program_.copies_asynchronously) {
    block.copies.resize(block.warps.size());
    for (auto& warp : block.warps) warp.copies = &block.copies[warp.index];
  }
}

void Interpreter::begin(Block& block, std::uint64_t linear) {
  block.linear = linear;
  block.index = block_index(grid_, linear);
  block.exited = 0;
  block.steps = 0;
  block.alarm = block.next_look = std::min(step_budget_ / 2, steps_between_looks);
  if (call_others_ && !worker_.looks_for_races) block.alarm = std::min(block.alarm, steps_worth_another_worker);
  repetitions_[block.slot] = {};
  worker_.updates = 0;
  block.active = true;
  block.has_looked = block.gives_way = block.has_waited = false;
  block.barriers_in_use = 0;
  block.barrier_due = false;
  for (auto& copies : block.copies) copies.clear();
  block.copies_started = block.copies_pending = 0;
  block.arrivals_pending = false;
  for (const auto& watcher : watchers_) watcher->begin_block(block);
  std::memset(block.shared, worker_.poison, grid_.shared_bytes);
  begin_registers(block);
  const auto& kernel = program_.functions[0];
  for (const auto& undefined : kernel.undefined) {
    for (auto& warp : block.warps) write_constant(block, warp, undefined, 0, 0, ~0u);
  }
  if (kernel.local_bytes != 0) {
    for (auto& warp : block.warps) {
      for (unsigned lane = 0; lane < warp_size; ++lane)
        std::memset(warp.local + std::size_t{lane} * local_bytes_, worker_.poison, kernel.local_bytes);
    }
  }
  for (auto& warp : block.warps) {
    warp.live = warp.exists;
    warp.waiting = false;
    warp.interrupted = false;
    warp.heard_of = 0;
    warp.parted = warp.last_branch = 0;
    warp.meetings.clear();
    warp.activations.clear();
    warp.fragments.clear();
    warp.fragments.push_back(start_);
    if (warp.exists != ~0u) warp.fragments.back().mask = warp.exists;
  }
}

bool Interpreter::take_block(std::uint64_t& linear) {
  const std::uint64_t next = grid_.next_block.fetch_add(1, std::memory_order_relaxed);
  if (next >= grid_.blocks) return false;
  linear = grid_.block_order.empty() ? next : grid_.block_order[next];
  // A block behind the first faulty one need not run: hardware would have stopped too.
  return linear <= grid_.first_error_block.load(std::memory_order_relaxed) || !grid_.block_order.empty();
}

/// Whether other workers were called now: a block has taken `steps`, and others are left. Atomics of one worker alone
/// need no help of the host's, which is five times as long: where those that would are most of the work, two are no
/// quicker than one.
bool Interpreter::call_others(std::uint64_t steps) {
  const std::uint64_t begun = grid_.next_block.load(std::memory_order_relaxed);
  if (worker_.updates > 3 * steps) return false;
  if (!call_others_ || begun >= grid_.blocks) return false;
  // Where a number of workers was asked for, races are looked for by as many in small launches, too: that findings do
  // not depend on them can be shown of any kernel.
  const std::uint64_t worth = !worker_.looks_for_races      ? steps_worth_another_worker
                              : grid_.schedule.workers == 0 ? steps_worth_speculation
                                                            : 0;
  if (steps * (grid_.blocks - begun) < worth) return false;
  if (worker_.looks_for_races &&
      std::any_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->active; }))
    return false;
  std::exchange(call_others_, {})();
  return true;
}

void Interpreter::run(std::function<void()> others) {
  call_others_ = std::move(others);
  bool more = true;
  auto start = [&](Block& block) {
    std::uint64_t linear;
    call_others(block.steps);
    more = more && take_block(linear);
    if (more) begin(block, linear);
    return more;
  };
  Block* newest = nullptr;
  bool all_wait = false;  // but the newest
  bool is_return = false;
  for (;;) {
    // Blocks under way take turns; a new one starts when there is none, or when all of them wait for something, or for
    // whom one has given way to: that one comes first then.
    std::vector<Block*> active;
    std::size_t under_way = 0;
    for (auto& block : blocks_) {
      under_way += block->active ? 1 : 0;
      if (block->active && (!all_wait || block.get() == newest)) active.push_back(block.get());
    }
    if (active.empty()) {
      if (blocks_.empty()) {
        blocks_.push_back(std::make_unique<Block>());
        prepare(*blocks_.back());
      }
      if (!start(*blocks_.front())) return;
      active.push_back(blocks_.front().get());
      under_way = 1;
    }
    if (side_by_side_ && !all_wait && std::exchange(is_return, !is_return)) std::reverse(active.begin(), active.end());
    if (newest != nullptr) std::swap(active.front(), *std::find(active.begin(), active.end(), newest));
    newest = nullptr;
    bool all_yielded = true, gives_way = false;
    for (auto* block : active) {
      Stop stop = run_block(*block);
      while (stop == Stop::done) {
        copies_.finish(*block);
        block->active = false;
        grid_.blocks_done.fetch_add(1, std::memory_order_release);
        all_yielded = false;
        if (active.size() > 1 || !start(*block)) break;
        stop = run_block(*block);
      }
      gives_way |= std::exchange(block->gives_way, false);
      block->has_waited |= stop == Stop::yielded;
      if (stop == Stop::fault) {
        block->active = false;
        if (!grid_.block_order.empty() || grid_.launch.cooperative || active.size() > 1)
          return;  // a total order: nothing comes before
      }
    }
    // Who waits at a barrier of the grid need not look again before all blocks have begun. Side by side, who has given
    // way stays where it is until many others have come as far.
    all_wait = false;
    if ((all_yielded || gives_way) && more && under_way < grid_.resident_blocks) {
      Block* idle = nullptr;
      for (auto& block : blocks_) {
        if (!block->active) idle = block.get();
      }
      if (idle == nullptr) {
        blocks_.push_back(std::make_unique<Block>());
        idle = blocks_.back().get();
        prepare(*idle);
      }
      all_wait = grid_.launch.cooperative ? !preempts_ : side_by_side_ && gives_way && under_way < blocks_side_by_side;
      if (start(*idle) && (gives_way || all_wait)) newest = idle;
      all_wait = all_wait && newest != nullptr;
    }
  }
}

[[gnu::always_inline]] inline Interpreter::Stop Interpreter::run_warp(Block& block, Warp*& at_work) {
  for (;;) {
    Warp& warp = *at_work;
    if (warp.live == 0) return Stop::done;
    Fragment* const first = warp.fragments.data();
    Fragment* next = first + warp.fragments.size();
    while (next != first && next[-1].state != Fragment::State::runnable) --next;
    if (next == first) {
      Stop stop = Stop::waiting;
      if (resolve_warp(block, warp, stop)) continue;
      return stop;
    }
    const Stop stop = values_ != nullptr ? run_fragment<true>(block, at_work, next - 1)
                                         : run_fragment<false>(block, at_work, next - 1);
    if (stop != Stop::waiting || at_work->waiting) return stop;
  }
}

Interpreter::Stop Interpreter::run_block(Block& block) {
  struct AtTheEnd {
    DeferredAtomics& additions;
    ~AtTheEnd() { additions.flush(); }
  } const at_the_end{worker_.additions};
  const auto count = static_cast<std::uint32_t>(block.warps.size());
  const Schedule::Order order = grid_.schedule.order;
  const bool is_backward = order == Schedule::Order::adversarial;
  // Side by side they change places where they may speak to each other, and seldom elsewhere.
  const std::uint64_t odds = side_by_side_ ? 1024 : 8;
  for (;;) {
    bool progress = false, spinning = false;
    const std::uint32_t offset = order == Schedule::Order::random ? static_cast<std::uint32_t>(random(count)) : 0;
    if (block.exited == block.threads) return Stop::done;
    std::uint32_t next = is_backward ? count : offset;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (next == (is_backward ? 0 : count)) next = count - next;
      Warp* warp = &block.warps[is_backward ? --next : next++];
      if (warp->live == 0 || warp->waiting) continue;
      const Stop stop = run_warp(block, warp);
      if (!preempts_) next = (i = warp->index) + 1;  // others may have followed it
      switch (stop) {
        case Stop::done:
        case Stop::waiting:
          progress = true;
          break;
        case Stop::yielded:
          spinning = true;
          break;
        case Stop::fault:
          return Stop::fault;
      }
      if (block.barrier_due) complete_barriers(block);
      if (block.steps > step_budget_) {
        report(grid_, block, stuck_block(grid_, block, FindingKind::step_budget, is_full()));
        return Stop::fault;
      }
    }
    if (block.gives_way) return Stop::yielded;
    if (spinning && (!preempts_ || random(odds) == 0)) return Stop::yielded;
    if (!progress && !spinning) {
      const bool runnable = std::any_of(block.warps.begin(), block.warps.end(),
                                        [](const Warp& warp) { return warp.live != 0 && !warp.waiting; });
      if (!runnable) {
        report(grid_, block, stuck_block(grid_, block, FindingKind::deadlock, is_full()));
        return Stop::fault;
      }
    }
  }
}

void Interpreter::add_counters(std::vector<Counters>& by_instruction) const {
  counts_.add_to(by_instruction, counters_);
}

}  // namespace cudasim
