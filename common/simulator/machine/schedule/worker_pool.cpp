// SPDX-License-Identifier: MIT
// A launch: workers get its blocks, and their counters and findings are collected.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "checkers/race/race_watch.h"
#include "checkers/registry/checks.h"
#include "machine/float_environment.h"
#include "machine/run.h"
#include "machine/schedule/block_scheduler.h"
#include "machine/schedule/speculation.h"
#include "messages/causes.h"
#include "timing/sampler.h"

namespace cudasim {
namespace {

/// Storage of all blocks that may be under way at once stays below this.
constexpr std::uint64_t kResidentBytes = 96ull << 20;

BlockOrder order_of_blocks(std::uint64_t blocks, std::uint64_t at_once, const Schedule& schedule,
                           std::uint64_t times_before) {
  if (schedule.order == Schedule::Order::plain) return {};
  const bool is_random = schedule.order == Schedule::Order::random;
  return {blocks, at_once, is_random ? BlockOrder::Kind::random : BlockOrder::Kind::reversed,
          schedule.seed + times_before};
}

/// As many blocks as the device would run at once, as far as memory allows.
std::uint32_t blocks_at_once(const Grid& grid) {
  if (grid.launch.cooperative) return static_cast<std::uint32_t>(grid.blocks);
  const auto& program = grid.program;
  const std::uint64_t deep = std::min<std::uint64_t>(grid.launch.stack_bytes, 512 << 10) * 160;
  const std::uint64_t per_warp = program.recursive
                                     ? std::max<std::uint64_t>(3 << 20, deep)
                                     : program.stack_frame_bytes + std::uint64_t{program.stack_local_bytes} * kWarpSize;
  const std::uint64_t bytes = per_warp * grid.warps_per_block + grid.shared_bytes + 1;
  const std::uint64_t device = std::uint64_t{grid.schedule.multiprocessors} *
                               (grid.schedule.gpu->threads_per_multiprocessor / (grid.warps_per_block * kWarpSize));
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(kResidentBytes / bytes, 1, std::max<std::uint64_t>(device, 1)));
}

/// Where shared memory may be touched: each static array, and the dynamic one to its end.
void lay_out_shared(Grid& grid) {
  std::uint64_t end = 0;
  for (const auto& v : grid.program.shared) {
    const std::uint64_t bytes = v.size_bytes != 0 ? v.size_bytes : grid.launch.dynamic_shared_bytes;
    grid.shared_ranges.push_back({v.offset, static_cast<std::uint32_t>(bytes)});
    end = std::max(end, v.offset + bytes);
  }
  grid.shared_bytes = static_cast<std::uint32_t>(end);
}

/// The cores that this process may use. Read once: the system reads a file for it.
unsigned usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
  return std::max(1u, std::thread::hardware_concurrency());  // more cores than a cpu_set_t has
}

unsigned wanted_workers(const Schedule& schedule) {
  static const unsigned usable = usable_cores();
  return schedule.workers != 0 ? schedule.workers : usable;
}

unsigned workers_for(const Grid& grid) {
  // One worker where the order of blocks can change the result (one seed, one run, the same bits) or the findings.
  const bool ordered =
      grid.checks != nullptr && ((grid.checks->race && !may_speculate(grid)) || grid.checks->needs_one_worker());
  if (grid.launch.cooperative || ordered || grid.program.order_sensitive || !grid.block_order.empty()) return 1;
  return static_cast<unsigned>(std::min<std::uint64_t>(std::min(wanted_workers(grid.schedule), 256u), grid.blocks));
}

/// Null: no block is sampled for an estimate of the time.
std::unique_ptr<Sampler> sampler_for(const Grid& grid) {
  if (grid.launch.timing == nullptr) return nullptr;
  Sample& sample = grid.launch.timing->sample;
  if (grid.schedule.order != Schedule::Order::plain) sample.why_not = "the order of the blocks is no GPU's";
  if (grid.checks != nullptr && (grid.checks->race || grid.checks->init || !grid.checks->observers.empty()))
    sample.why_not = "checks were on";
  return sample.why_not.empty() ? std::make_unique<Sampler>(grid, *grid.launch.timing) : nullptr;
}

/// What one thread does of a launch. Blocks that are watched for a sample have a scheduler of their own.
class WorkerOfLaunch {
 public:
  WorkerOfLaunch(Grid& grid, const std::shared_ptr<RaceWatch>& races, Sampler* sampler)
      : grid_(grid), others_(grid, races, {sampler != nullptr ? Share::others : Share::all, sampler, nullptr}) {
    const Sampling watched{Share::watched, sampler, others_.timing()};
    if (sampler != nullptr) watched_ = std::make_unique<BlockScheduler>(grid, nullptr, watched);
  }
  void run(std::function<void()> call_others = {}) {
    if (!watched_) return others_.run(std::move(call_others));
    const auto call = [&] { std::exchange(call_others, {})(); };
    const auto run = [&](BlockScheduler& scheduler) {
      scheduler.run(call_others ? std::function<void()>(call) : std::function<void()>());
    };
    while (grid_.next_block.load() < grid_.blocks && grid_.next_block.load() <= grid_.first_error_block.load()) {
      run(*watched_);
      run(others_);
    }
  }
  void add_counters(std::vector<Counters>& by_instruction) const {
    if (watched_) watched_->add_counters(by_instruction);
    others_.add_counters(by_instruction);
  }

 private:
  using Share = Sampling::Share;

  Grid& grid_;
  std::unique_ptr<BlockScheduler> watched_;
  BlockScheduler others_;
};

/// No exception may leave a thread. The first one is kept for the end of the launch, and no more blocks begin.
template <class Work>
void keep_failure(Grid& grid, Work work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(grid.mutex);
    const bool has_begun = grid.next_block.exchange(grid.blocks) != 0;
    if (grid.failure) return;
    grid.failure = std::current_exception();
    grid.failed_midway = has_begun;
  }
}

}  // namespace

Outcome run(const Program& program, const Launch& launch, Memory& memory, const Schedule& schedule, Checks* checks) {
  const auto begin = std::chrono::steady_clock::now();
  const FloatEnvironment environment;  // threads that are created below inherit it
  Grid grid(program, launch, memory, schedule);
  grid.checks = checks;
  grid.blocks = launch.grid.count();
  grid.warps_per_block = static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  lay_out_shared(grid);
  grid.resident_blocks = blocks_at_once(grid);
  const bool in_any_order = schedule.blocks != 0 && !launch.cooperative;
  const std::uint64_t window = in_any_order ? std::max<std::uint64_t>(1, grid.blocks) : grid.resident_blocks;
  if (in_any_order) grid.resident_blocks = std::min(grid.resident_blocks, schedule.blocks);
  grid.block_order = order_of_blocks(grid.blocks, window, schedule, launch.times_before);
  const Allocation* grid_barrier = nullptr;
  if (launch.cooperative) {
    // Grid sync counts arrivals in a word that the driver gives. cooperative_groups reads its address from %envreg1:2,
    // 32 bits each. The address must survive the round trip, and it does, as it has 64 bits.
    grid_barrier = memory.allocate(256, Origin::internal);
    if (grid_barrier != nullptr) {
      std::fill_n(grid_barrier->host, 256, std::byte{0});
      grid.grid_barrier_address = grid_barrier->address;
    }
  }
  std::shared_ptr<RaceWatch> races;
  if (checks != nullptr && checks->race) races = std::make_shared<RaceWatch>(grid, *checks->race);
  if (checks != nullptr) {
    for (const auto& observer : checks->observers) observer->begin_launch(grid);
  }
  const std::unique_ptr<Sampler> sampler = sampler_for(grid);
  std::vector<std::unique_ptr<WorkerOfLaunch>> schedulers;
  schedulers.push_back(std::make_unique<WorkerOfLaunch>(grid, races, sampler.get()));
  std::vector<std::thread> threads;
  const unsigned workers = workers_for(grid);
  Outcome outcome;
  const auto call_others = [&] {
    if (races) {
      if (grid.findings.empty() && !races->has_found()) speculate(grid, workers, outcome.by_instruction);
      return;
    }
    grid.has_others = true;
    schedulers.reserve(workers);
    threads.reserve(workers);
    try {
      while (schedulers.size() < workers) {
        WorkerOfLaunch* const other =
            schedulers.emplace_back(std::make_unique<WorkerOfLaunch>(grid, nullptr, sampler.get())).get();
        threads.emplace_back([&grid, other] { keep_failure(grid, [=] { other->run(); }); });
      }
    } catch (const std::exception&) {  // the host gives no more threads, or memory: the existing ones do the work
    }
  };
  keep_failure(grid, [&] {
    schedulers.front()->run(workers > 1 ? std::function<void()>(call_others) : std::function<void()>());
  });
  for (auto& thread : threads) thread.join();
  if (races) keep_failure(grid, [&] { races->finish(); });
  if (grid_barrier != nullptr) memory.release(grid_barrier->address);
  if (grid.failure && !grid.failed_midway) std::rethrow_exception(grid.failure);

  outcome.failure = grid.failure;
  for (const auto& scheduler : schedulers) scheduler->add_counters(outcome.by_instruction);
  for (const auto& c : outcome.by_instruction) {
    if (c.was_issued()) outcome.counters += c;
  }
  // In the order of blocks, so that the report does not depend on which worker was first. Errors come last, and only
  // the first one.
  std::stable_sort(grid.findings.begin(), grid.findings.end(), [](const auto& a, const auto& b) {
    const bool a_error = a.second.severity == Severity::error, b_error = b.second.severity == Severity::error;
    return a_error != b_error ? b_error : a.first < b.first;
  });
  for (auto& [block, finding] : grid.findings) {
    outcome.findings.push_back(std::move(finding));
    if (outcome.findings.back().severity == Severity::error) {
      outcome.cuda_error = outcome.findings.back().cuda_error;
      break;
    }
  }
  if (sampler) {
    launch.timing->sample = sampler->finish(outcome.counters, launch.timing->counts->accesses);
    if (outcome.cuda_error != 0) launch.timing->sample.why_not = "the kernel stopped with an error";
  }
  name_causes(program, launch, outcome.findings);
  if (grid.printed.has_lost()) outcome.printed_bytes = grid.printed.written();
  outcome.printed = grid.printed.take();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace cudasim
