// SPDX-License-Identifier: MIT
#include "machine/schedule/block_scheduler.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/next_multiple.h"

namespace cudasim {
namespace {

// Side by side, so many blocks come to the same access before the first of them goes on. It is more than two warps have
// lanes: the look-back of a warp, or of a block of 64 threads, reads the state of so many earlier blocks at a time.
constexpr std::size_t kBlocksSideBySide = 72;

// Side by side, a block that has not given way has so many rounds of its warps in a turn. It may wait for another block
// by accesses that nothing orders.
constexpr std::uint32_t kRoundsInATurn = 4096;

}  // namespace

BlockScheduler::BlockScheduler(Grid& grid, const std::shared_ptr<Watcher>& races, const Sampling& sampling)
    : grid_(grid),
      program_(grid.program),
      worker_(grid, races, sampling.timing,
              sampling.share == Share::watched ? std::make_shared<Recorder>(*sampling.sampler, grid.program) : nullptr),
      interpreter_(worker_),
      preempts_(worker_.preempts),
      sampler_(sampling.sampler),
      share_(sampling.share),
      side_by_side_(grid.schedule.order == Schedule::Order::adversarial &&
                    (grid.schedule.seed + grid.launch.times_before + grid.blocks) % 2 == 0) {
  if (share_ == Share::others) worker_.timing->accesses.sink = &sink_;
  start_.pc = program_.functions[0].entry;
  start_.mask = ~0u;
}

/// Another block, with its storage. The values that stay the same from block to block are written once, here.
Block& BlockScheduler::add_block() {
  Block& block = *worker_.blocks.emplace_back(std::make_unique<Block>());
  const std::size_t shared = next_multiple(std::size_t{grid_.shared_bytes} + 1, 64);
  const std::size_t total = worker_.bytes_of_warp * grid_.warps_per_block + shared;
  block.storage = take_storage(total);
  block.storage_bytes = total;
  block.slot = static_cast<std::uint32_t>(worker_.blocks.size() - 1);
  block.threads = static_cast<std::uint32_t>(grid_.launch.block.count());
  block.warps.resize(grid_.warps_per_block);
  std::byte* next = block.storage.get();
  for (std::uint32_t w = 0; w < grid_.warps_per_block; ++w) {
    auto& warp = block.warps[w];
    warp.index = w;
    warp.frames = next;
    warp.local = next + worker_.bytes_of_frames;
    next += worker_.bytes_of_warp;
    const std::uint32_t threads = std::min(block.threads - w * kWarpSize, kWarpSize);
    warp.exists = threads == kWarpSize ? ~0u : (1u << threads) - 1;
    interpreter_.registers().prepare(block, warp);
  }
  block.shared = next;
  if (program_.copies_asynchronously) {
    block.copies.resize(block.warps.size());
    for (auto& warp : block.warps) warp.copies = &block.copies[warp.index];
  }
  return block;
}

void BlockScheduler::begin(Block& block, std::uint64_t linear) {
  block.linear = linear;
  block.index = block_index(grid_, linear);
  block.exited = 0;
  block.steps = block.counted_steps = 0;
  interpreter_.loops().begin_block(block);
  worker_.updates = 0;
  block.active = true;
  block.has_looked = block.has_told = block.gives_way = block.has_waited = false;
  block.looks = 0;
  block.barriers_in_use = 0;
  block.barrier_due = false;
  for (auto& copies : block.copies) copies.clear();
  block.copies_started = block.copies_pending = 0;
  block.arrivals_pending = false;
  for (const auto& watcher : worker_.watchers) watcher->begin_block(block);
  if (share_ == Share::others) begin_sample(block);
  std::memset(block.shared, worker_.poison, grid_.shared_bytes);
  interpreter_.registers().begin(block);
  const auto& kernel = program_.functions[0];
  for (const auto& undefined : kernel.undefined) {
    for (auto& warp : block.warps) interpreter_.constants().write(block, warp, undefined, 0, 0, ~0u);
  }
  if (kernel.local_bytes != 0) {
    for (auto& warp : block.warps) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        std::memset(warp.local + std::size_t{lane} * worker_.local_bytes, worker_.poison, kernel.local_bytes);
    }
  }
  for (auto& warp : block.warps) {
    warp.live = warp.exists;
    warp.waiting = false;
    warp.interrupted = false;
    warp.known_copies = 0;
    warp.parted = warp.last_branch = 0;
    warp.convergence_barriers.clear();
    warp.activations.clear();
    warp.splits.clear();
    warp.splits.push_back(start_);
    if (warp.exists != ~0u) warp.splits.back().mask = warp.exists;
  }
}

bool BlockScheduler::take_block(std::uint64_t& linear, bool is_needed, bool& more) {
  std::uint64_t next = grid_.next_block.load(std::memory_order_relaxed);
  do {
    more = next < grid_.blocks;
    if (!more) return false;
    const bool is_mine = share_ == Share::all || sampler_->watches(next) == (share_ == Share::watched);
    if (!is_mine && !is_needed) return false;
  } while (!grid_.next_block.compare_exchange_weak(next, next + 1, std::memory_order_relaxed));
  linear = grid_.block_order.empty() ? next : grid_.block_order[next];
  // A block behind the first faulty one need not run: hardware stops too.
  more = linear <= grid_.first_error_block.load(std::memory_order_relaxed) || !grid_.block_order.empty();
  return more;
}

void BlockScheduler::run(std::function<void()> others) {
  worker_.others = std::move(others);
  bool more = true;
  auto start = [&](Block& block, bool is_needed) {
    std::uint64_t linear;
    worker_.call_others(block.steps);
    const bool starts = more && take_block(linear, is_needed, more);
    if (starts) begin(block, linear);
    return starts;
  };
  Block* newest = nullptr;
  bool all_wait = false;  // all but the newest
  bool is_return = false;
  for (;;) {
    // Blocks under way take turns. A new one starts when there is none, when all of them wait, or when one has given
    // way. The block that it gave way to then comes first.
    std::vector<Block*> active;
    std::size_t under_way = 0;
    for (auto& block : worker_.blocks) {
      under_way += block->active ? 1u : 0u;
      if (block->active && (!all_wait || block.get() == newest)) active.push_back(block.get());
    }
    if (active.empty()) {
      if (worker_.blocks.empty()) add_block();
      if (!start(*worker_.blocks.front(), false)) return;
      active.push_back(worker_.blocks.front().get());
      under_way = 1;
    }
    if (side_by_side_ && !all_wait && std::exchange(is_return, !is_return)) std::reverse(active.begin(), active.end());
    if (newest != nullptr) std::swap(active.front(), *std::find(active.begin(), active.end(), newest));
    newest = nullptr;
    bool all_yielded = true, gives_way = false;
    for (auto* block : active) {
      Stop stop = run_block(*block);
      while (stop == Stop::done) {
        interpreter_.copies().finish(*block);
        block->active = false;
        grid_.blocks_done.fetch_add(1, std::memory_order_release);
        interpreter_.progress().end_block(*block);
        all_yielded = false;
        if (active.size() > 1 || !start(*block, false)) break;
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
    // Blocks at a barrier of the grid need not check it again before all blocks have begun. Side by side, a block that
    // has given way stays where it is until many others have come as far.
    all_wait = false;
    if ((all_yielded || gives_way) && more && under_way < grid_.resident_blocks) {
      Block* idle = nullptr;
      for (auto& block : worker_.blocks) {
        if (!block->active) idle = block.get();
      }
      if (idle == nullptr) idle = &add_block();
      all_wait = grid_.launch.cooperative ? !preempts_ : side_by_side_ && gives_way && under_way < kBlocksSideBySide;
      if (start(*idle, true) && (gives_way || all_wait)) newest = idle;
      all_wait = all_wait && newest != nullptr;
    }
  }
}

/// A block of which some lines are kept.
void BlockScheduler::begin_sample(const Block& block) {
  traces_.resize(worker_.blocks.size());
  traces_[block.slot] = sampler_->begin_block(block.linear);
  sink_.halvings = sampler_->halvings();
}

BlockScheduler::Stop BlockScheduler::run_block(Block& block) {
  if (share_ != Share::all)
    worker_.timing->accesses.sink->block = share_ == Share::others ? traces_[block.slot] : nullptr;
  struct AtTheEnd {
    DeferredAtomics& additions;
    ~AtTheEnd() { additions.flush(); }
  } const at_the_end{worker_.additions};
  const auto count = static_cast<std::uint32_t>(block.warps.size());
  const Schedule::Order order = grid_.schedule.order;
  const bool is_backward = order == Schedule::Order::adversarial;
  std::uint32_t rounds = 0;
  const auto is_turn_over = [&] {
    return side_by_side_ ? ++rounds == kRoundsInATurn : interpreter_.preemption().random(8) == 0;
  };
  for (;;) {
    bool progress = false, spinning = false;
    const std::uint32_t offset =
        order == Schedule::Order::random ? static_cast<std::uint32_t>(interpreter_.preemption().random(count)) : 0;
    if (block.exited == block.threads) return Stop::done;
    std::uint32_t next = is_backward ? count : offset;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (next == (is_backward ? 0 : count)) next = count - next;
      Warp* warp = &block.warps[is_backward ? --next : next++];
      if (warp->live == 0 || warp->waiting) continue;
      const Stop stop = interpreter_.run_warp(block, warp);
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
      if (block.barrier_due) interpreter_.barriers().complete(block);
      if (block.steps > worker_.step_budget) {
        interpreter_.loops().report_stuck(block, FindingKind::step_budget);
        return Stop::fault;
      }
    }
    if (block.gives_way) return Stop::yielded;
    if (spinning && (!preempts_ || is_turn_over())) return Stop::yielded;
    if (!progress && !spinning) {
      const bool runnable = std::any_of(block.warps.begin(), block.warps.end(),
                                        [](const Warp& warp) { return warp.live != 0 && !warp.waiting; });
      if (!runnable) {
        interpreter_.loops().report_stuck(block, FindingKind::deadlock);
        return Stop::fault;
      }
    }
  }
}

}  // namespace cudasim
