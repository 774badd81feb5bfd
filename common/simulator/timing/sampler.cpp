// SPDX-License-Identifier: MIT
#include "timing/sampler.h"

#include <algorithm>
#include <cmath>

#include "timing/operations.h"

namespace cudasim {
namespace {

/// Waves of blocks that are sampled: the second one begins with what the first one has left in the caches.
constexpr std::uint64_t kWaves = 2;

// A sample costs a fraction of the run. So many instructions of all blocks are worth one of the following.
constexpr std::uint64_t kInstructionsForATraced = 40, kInstructionsForALine = 64;
constexpr std::uint64_t kLeastTraced = 20'000, kMostTraced = 600'000;
constexpr std::uint64_t kLeastLines = 32'768, kMostLinesOfAll = 1 << 20;
constexpr std::uint64_t kMostLives = 8, kMostMultiprocessors = 8, kMultiprocessorsForASampled = 16;
/// Where the program has so much memory at most, each sector is read from DRAM once.
constexpr double kFullPartOfL2 = 0.8;

std::uint64_t resident_blocks(const Grid& grid, const LaunchTiming& timing) {
  return std::max<std::uint64_t>(1, std::uint64_t{grid.schedule.multiprocessors} * timing.blocks_a_multiprocessor);
}

/// What the machine leaves to the L1. A multiprocessor has one memory for both. The part of shared memory grows in
/// steps (CUDA C++ Programming Guide, "Shared Memory" of each compute capability).
std::uint64_t l1_bytes(const Grid& grid, const LaunchTiming& timing) {
  constexpr std::uint64_t kKiB = 1024, kSteps[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  const Gpu& gpu = *grid.schedule.gpu;
  const std::uint64_t all = gpu.capability == 75 ? 96 : gpu.capability == 80 ? 192 : gpu.capability == 90 ? 256 : 128;
  const std::uint64_t block = grid.program.static_shared_bytes + grid.launch.dynamic_shared_bytes;
  const std::uint64_t here = (grid.blocks + grid.schedule.multiprocessors - 1) / grid.schedule.multiprocessors;
  const std::uint64_t resident = std::min<std::uint64_t>(std::max(1u, timing.blocks_a_multiprocessor), here);
  const std::uint64_t wanted = block == 0 ? 0 : resident * (block + gpu.shared_reserved_per_block);
  for (const std::uint64_t step : kSteps) {
    if (gpu.capability == 75 && step != 32 && step != 64) continue;
    if (step * kKiB >= wanted && step * kKiB <= gpu.shared_per_multiprocessor) return (all - step) * kKiB;
  }
  return all * kKiB - gpu.shared_per_multiprocessor;
}

}  // namespace

Sampler::Sampler(const Grid& grid, const LaunchTiming& timing)
    : grid_(grid),
      timing_(timing),
      multiprocessors_(std::max(1u, grid.schedule.multiprocessors)),
      resident_(resident_blocks(grid, timing)),
      blocks_in_waves_(std::min(grid.blocks, kWaves * resident_)),
      fits_l2_(static_cast<double>(grid.memory.used_bytes()) <= kFullPartOfL2 * grid.schedule.gpu->l2_bytes),
      most_instructions_(kLeastTraced / std::max(1u, grid.warps_per_block)) {}

/// From what the first block did.
void Sampler::plan() {
  std::uint64_t instructions = 1;
  for (const WarpTrace& warp : first_->warps) instructions += warp.instructions;
  const std::uint64_t lines = first_->lines.size(), all = instructions * grid_.blocks;
  const std::uint64_t lines_wanted = std::clamp(all / kInstructionsForALine, kLeastLines, kMostLinesOfAll);
  while (!fits_l2_ && lines * blocks_in_waves_ >> halvings_ > lines_wanted) ++halvings_;
  const std::uint64_t used = std::min(grid_.blocks, multiprocessors_);
  const std::uint64_t blocks_of_one = (blocks_in_waves_ + multiprocessors_ - 1) / multiprocessors_;
  std::uint64_t count = std::clamp<std::uint64_t>(used / kMultiprocessorsForASampled, 1, kMostMultiprocessors);
  while (count > 1 && count * blocks_of_one * lines > lines_wanted) --count;
  for (std::uint64_t i = 0; i < count; ++i) sampled_multiprocessors_.push_back((2 * i + 1) * used / (2 * count));
  is_multiprocessor_sampled_.assign(multiprocessors_, false);
  for (const std::uint64_t one : sampled_multiprocessors_) is_multiprocessor_sampled_[one] = true;
  const std::uint64_t traced = std::clamp(all / kInstructionsForATraced, kLeastTraced, kMostTraced);
  const std::uint64_t lives = std::clamp<std::uint64_t>(traced / instructions, 1, kMostLives);
  lives_every_ = std::max<std::uint64_t>(1, count * blocks_of_one / lives);
  most_instructions_ = std::max<std::uint64_t>(1, traced / lives / std::max(1u, grid_.warps_per_block));
}

bool Sampler::samples(std::uint64_t linear) {
  if (linear == 0 || linear >= blocks_in_waves_) return linear == 0;
  std::call_once(planned_, [this] { plan(); });
  return !fits_l2_ || is_on_sampled_multiprocessor(linear);
}

BlockTrace* Sampler::begin_block(std::uint64_t linear) {
  if (!samples(linear)) return nullptr;
  auto trace = std::make_unique<BlockTrace>();
  trace->linear = linear;
  trace->warps.resize(grid_.warps_per_block);
  BlockTrace* const result = trace.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_ == nullptr) {
    first_ = result;
    result->detail = BlockTrace::Detail::instructions;
  } else {
    if (is_on_sampled_multiprocessor(linear)) {
      const bool lives = linear / multiprocessors_ % lives_every_ == 0;
      result->detail = lives ? BlockTrace::Detail::instructions : BlockTrace::Detail::all_lines;
    }
  }
  traces_.push_back(std::move(trace));
  return result;
}

/// Blocks by wave, of one multiprocessor or of all.
std::vector<Wave> Sampler::waves_of(std::uint64_t multiprocessor, bool of_all) const {
  std::vector<Wave> waves(kWaves);
  for (const auto& trace : traces_) {
    if (of_all || trace->linear % multiprocessors_ == multiprocessor)
      waves[std::min(kWaves - 1, trace->linear / resident_)].push_back(trace.get());
  }
  while (waves.size() > 1 && waves.back().empty()) waves.pop_back();
  return waves;
}

Sample Sampler::finish(const Counters& counters) {
  Sample sample;
  if (first_ == nullptr) {
    sample.why_not = "no block has begun";
    return sample;
  }
  std::call_once(planned_, [this] { plan(); });
  std::sort(traces_.begin(), traces_.end(), [](const auto& a, const auto& b) { return a->linear < b->linear; });
  const std::size_t instructions = grid_.program.origins.size();
  const std::uint64_t bytes_of_l1 = l1_bytes(grid_, timing_);
  std::vector<L1Totals> l1;
  std::uint64_t loads = 0, hits = 0;
  for (const std::uint64_t multiprocessor : sampled_multiprocessors_) {
    l1.push_back(replay_l1(waves_of(multiprocessor, false), bytes_of_l1, instructions));
    loads += l1.back().load_sectors;
    hits += l1.back().hits;
  }
  L2Replay l2(grid_.schedule.gpu->l2_bytes, halvings_, instructions);
  std::vector<L2Totals> waves;
  for (const Wave& wave : waves_of(0, true)) waves.push_back(l2.add(wave));
  sample.blocks = traces_.size();
  sample.waves = static_cast<double>(traces_.size()) / static_cast<double>(resident_);
  look_at_lives(l1, l2.by_instruction(), sample);
  extrapolate(waves, loads == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(loads), counters, sample);
  return sample;
}

void Sampler::look_at_lives(const std::vector<L1Totals>& l1, const std::vector<LineCounts>& l2, Sample& sample) const {
  std::vector<LineCounts> of_l1(l2.size());
  for (const L1Totals& one : l1) {
    for (std::size_t i = 0; i < of_l1.size(); ++i) {
      of_l1[i].lines += one.by_instruction[i].lines;
      of_l1[i].missed += one.by_instruction[i].missed;
    }
  }
  const Operations operations(grid_.program, timing_.latencies, *grid_.schedule.gpu);
  for (std::size_t m = 0; m < l1.size(); ++m) {
    const std::vector<Wave> waves = waves_of(sampled_multiprocessors_[m], false);
    for (std::size_t w = 0; w < waves.size(); ++w) {
      for (std::size_t b = 0; b < waves[w].size(); ++b) {
        const BlockTrace& block = *waves[w][b];
        if (block.detail != BlockTrace::Detail::instructions) continue;
        const std::vector<bool>& missed = l1[m].missed[w][b];
        std::vector<std::vector<AnswerShares>> answers;
        for (const WarpTrace& warp : block.warps) {
          auto& of_warp = answers.emplace_back(warp.requests.size());
          for (std::size_t r = 0; r < of_warp.size(); ++r) {
            const TracedRequest& request = warp.requests[r];
            unsigned missing = 0;
            for (unsigned i = 0; i < request.lines; ++i) missing += missed[request.first_line + i] ? 1 : 0;
            if (missing == 0) continue;
            const std::uint32_t instruction = grid_.program.code[request.pc].counter;
            const double of_those = of_l1[instruction].rate();
            const double from_dram = of_those == 0 ? 0 : std::min(1.0, l2[instruction].rate() / of_those);
            of_warp[r].dram = static_cast<float>(1 - std::pow(1 - from_dram, missing));
            of_warp[r].l2 = 1 - of_warp[r].dram;
          }
        }
        const BlockLife life = live(block, answers, operations, timing_.latencies);
        sample.life.cycles += life.cycles;
        sample.life.issue_cycles += life.issue_cycles;
        sample.life.steps.dram += life.steps.dram;
        sample.life.steps.l2 += life.steps.l2;
        sample.life.steps.l1 += life.steps.l1;
        sample.life.steps.shared += life.steps.shared;
        ++sample.lives;
      }
    }
  }
  const double lives = std::max<double>(1, static_cast<double>(sample.lives));
  sample.life.cycles /= lives;
  sample.life.issue_cycles /= lives;
  for (double* steps :
       {&sample.life.steps.dram, &sample.life.steps.l2, &sample.life.steps.l1, &sample.life.steps.shared})
    *steps /= lives;
}

namespace {

/// How many sectors one that was drawn stands for.
double scale_of(double all, std::uint64_t drawn, unsigned halvings) {
  return drawn == 0 ? std::ldexp(1.0, static_cast<int>(halvings)) : all / static_cast<double>(drawn);
}

}  // namespace

Sampler::Work Sampler::work_of(std::size_t wave, const L2Totals& totals) const {
  Work work;
  for (const auto& trace : traces_) {
    if (std::min<std::uint64_t>(kWaves - 1, trace->linear / resident_) != wave) continue;
    work.loads += static_cast<double>(trace->load_sectors);
    work.stores += static_cast<double>(trace->store_sectors);
    work.blocks += 1;
  }
  const double of_loads = scale_of(work.loads, totals.load_sectors, halvings_);
  const double of_stores = scale_of(work.stores, totals.store_sectors, halvings_);
  work.read = static_cast<double>(totals.dram_read) * of_loads;
  work.allocated = work.read + static_cast<double>(totals.store_allocated) * of_stores;
  work.dirtied = static_cast<double>(totals.dirtied) * of_stores;
  work.written = static_cast<double>(totals.dram_write) * of_stores;
  return work;
}

/// The last wave that was sampled stands for all that were not.
void Sampler::extrapolate(const std::vector<L2Totals>& waves, double hit_rate, const Counters& counters,
                          Sample& sample) const {
  Work all, last;
  for (std::size_t w = 0; w < waves.size(); ++w) {
    last = work_of(w, waves[w]);
    all.add(last, 1);
  }
  sample.load_sectors = all.loads;
  sample.store_sectors = all.stores;
  sample.dram_read = all.read;
  sample.dram_write = all.written;
  sample.l1_hits = all.loads * hit_rate;
  sample.l2_hits = std::max(0.0, all.loads - sample.l1_hits - all.read);

  const double left = static_cast<double>(grid_.blocks - sample.blocks);
  all.add(last, left / last.blocks);
  constexpr double kBytes = kSectorBytesOfLine;
  sample.dram_read_bytes = all.read * kBytes;
  // What is dirty in the L2 when the launch ends is not written back in its time.
  const double room = static_cast<double>(grid_.schedule.gpu->l2_bytes) / kBytes;
  const double written = all.allocated <= room ? 0 : all.dirtied * (1 - room / all.allocated);
  sample.dram_write_bytes = (left == 0 ? all.written : written) * kBytes;
  sample.l2_read_sectors = static_cast<double>(counters.global_load_sectors) * (1 - hit_rate);
  sample.l2_write_sectors = static_cast<double>(counters.global_store_sectors);
}

}  // namespace cudasim
