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

/// The L2 of an A100, an H100 or an H200 has two halves. Half of the sectors that a multiprocessor asks for are at home
/// in the other half, and then both keep them. So an H200 writes back 42 to 50 MB of the 67 MB that a copy stores.
double room_of_l2(const Gpu& gpu) {
  const bool has_halves = gpu.capability == 80 || gpu.capability == 90;
  return gpu.l2_bytes / (has_halves ? 1.5 : 1);
}

/// What the machine leaves to the L1. A multiprocessor has one memory for both. The part of shared memory grows in
/// steps (CUDA C++ Programming Guide, "Shared Memory" of each compute capability). The hit rates of an H200 are those
/// of four fifths of the rest.
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
    if (step * kKiB >= wanted && step * kKiB <= gpu.shared_per_multiprocessor) return (all - step) * kKiB * 4 / 5;
  }
  return (all * kKiB - gpu.shared_per_multiprocessor) * 4 / 5;
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
  while (lines * blocks_in_waves_ >> halvings_ > lines_wanted) ++halvings_;
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

bool Sampler::watches(std::uint64_t linear) {
  if (linear == 0 || linear >= blocks_in_waves_) return linear == 0;
  std::call_once(planned_, [this] { plan(); });
  return is_on_sampled_multiprocessor(linear);
}

BlockTrace* Sampler::begin_block(std::uint64_t linear) {
  if (linear >= blocks_in_waves_) return nullptr;
  const bool is_watched = watches(linear);
  auto trace = std::make_unique<BlockTrace>();
  trace->linear = linear;
  trace->warps.resize(grid_.warps_per_block);
  BlockTrace* const result = trace.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_ == nullptr) {
    first_ = result;
    result->detail = BlockTrace::Detail::instructions;
  } else {
    if (is_watched) {
      const bool lives = linear / multiprocessors_ % lives_every_ == 0;
      result->detail = lives ? BlockTrace::Detail::instructions : BlockTrace::Detail::all_lines;
    }
  }
  traces_.push_back(std::move(trace));
  return result;
}

/// Blocks by wave, of one multiprocessor or of all.
std::vector<Wave> Sampler::waves_of(std::optional<std::uint64_t> multiprocessor) const {
  std::vector<Wave> waves(kWaves);
  for (const auto& trace : traces_) {
    if (!multiprocessor || trace->linear % multiprocessors_ == *multiprocessor)
      waves[std::min(kWaves - 1, trace->linear / resident_)].push_back(trace.get());
  }
  while (waves.size() > 1 && waves.back().empty()) waves.pop_back();
  return waves;
}

Sample Sampler::finish(const Counters& counters, const GlobalAccesses& accesses) {
  Sample sample;
  if (first_ == nullptr) return sample;
  std::call_once(planned_, [this] { plan(); });
  std::sort(traces_.begin(), traces_.end(), [](const auto& a, const auto& b) { return a->linear < b->linear; });
  const std::size_t instructions = grid_.program.origins.size();
  const std::uint64_t bytes_of_l1 = l1_bytes(grid_, timing_);
  std::vector<LineCounts> of_l1(instructions);
  L1Totals l1;
  for (const std::uint64_t multiprocessor : sampled_multiprocessors_) {
    const L1Totals one = replay_l1(waves_of(multiprocessor), bytes_of_l1, of_l1);
    l1.load_sectors += one.load_sectors;
    l1.hits += one.hits;
  }
  L2Replay l2(static_cast<std::uint64_t>(room_of_l2(*grid_.schedule.gpu)), halvings_, instructions);
  std::vector<L2Totals> waves;
  for (const Wave& wave : waves_of({})) waves.push_back(l2.add(wave));
  sample.blocks = traces_.size();
  sample.waves = static_cast<double>(traces_.size()) / static_cast<double>(resident_);
  const double hit_rate =
      l1.load_sectors == 0 ? 0 : static_cast<double>(l1.hits) / static_cast<double>(l1.load_sectors);
  const double cold = fill(waves, hit_rate, counters, accesses, sample);
  look_at_lives(of_l1, l2.by_instruction(), cold, sample);
  return sample;
}

namespace {

/// How many sectors one that was drawn stands for.
double scale_of(double all, std::uint64_t drawn, unsigned halvings) {
  return drawn == 0 ? std::ldexp(1.0, static_cast<int>(halvings)) : all / static_cast<double>(drawn);
}

/// A sample that reads up to so many times the footprint does not show that sectors are read again: it is the noise of
/// the lines that were drawn.
constexpr double kNoiseOfDrawnLines = 1.05;

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

Sampler::Merged Sampler::merged_stores() const {
  double kept = 0;
  Merged merged;
  for (const auto& trace : traces_) {
    kept += static_cast<double>(trace->kept_store_sectors);
    merged.part += static_cast<double>(trace->merged);
    merged.filled += static_cast<double>(trace->filled);
  }
  return kept == 0 ? Merged{} : Merged{merged.part / kept, merged.filled / kept};
}

/// Sets all but the lives. Returns which part of the sectors that the launch reads was not in the L2 before it.
double Sampler::fill(const std::vector<L2Totals>& waves, double hit_rate, const Counters& counters,
                     const GlobalAccesses& accesses, Sample& sample) const {
  Work all, last;
  for (std::size_t w = 0; w < waves.size(); ++w) {
    last = work_of(w, waves[w]);
    all.add(last, 1);
  }
  const GlobalAccesses::Totals totals = accesses.totals();
  const auto footprint = static_cast<double>(accesses.fetched(nullptr));
  const double room = static_cast<double>(grid_.schedule.gpu->l2_bytes) / kSectorBytesOfLine;
  double read = footprint;
  if (timing_.l2 != nullptr && timing_.latencies.cold == 0) {
    sample.is_cold = timing_.l2->is_empty();
    read = static_cast<double>(timing_.l2->pass(accesses, static_cast<std::uint64_t>(kFullPartOfL2 * room)));
  }
  const auto l2_reads = static_cast<double>(counters.global_load_sectors) * (1 - hit_rate);
  auto dirtied = static_cast<double>(totals.store_footprint);
  const double cold = footprint == 0 ? 1 : read / footprint;
  if (!fits_l2_) {
    // The last wave that was sampled stands for all that were not.
    const double left = static_cast<double>(grid_.blocks - sample.blocks);
    Work launch = all;
    launch.add(last, left / last.blocks);
    if (launch.read > kNoiseOfDrawnLines * footprint) read = launch.read;
    dirtied = std::max(dirtied, launch.dirtied);
  }
  // What is dirty in the L2 when the launch ends is not written back in its time.
  const double part_that_stays = room_of_l2(*grid_.schedule.gpu) / kSectorBytesOfLine / (footprint + dirtied);
  const double written = std::max(0.0, dirtied * (1 - part_that_stays));
  const double part = static_cast<double>(sample.blocks) / static_cast<double>(grid_.blocks);
  sample.load_sectors = all.loads;
  sample.store_sectors = all.stores;
  sample.dram_read = fits_l2_ ? read * part : all.read;
  sample.dram_write = all.written;
  sample.l1_hits = all.loads * hit_rate;
  sample.l2_hits = std::max(0.0, all.loads - sample.l1_hits - sample.dram_read);
  constexpr double kBytes = kSectorBytesOfLine;
  sample.dram_read_bytes = read * kBytes;
  sample.dram_write_bytes = written * kBytes;
  sample.l2_read_sectors = l2_reads;
  const Merged merged = merged_stores();
  const auto stores = static_cast<double>(counters.global_store_sectors);
  sample.l2_write_sectors = stores * (1 - merged.part);
  // What several stores fill is taken as whole.
  sample.l2_partial_sectors =
      std::max(0.0, static_cast<double>(totals.partial_sectors) - stores * (merged.part + merged.filled));
  return cold;
}

namespace {

/// Which part of an instruction's lines that the L1 does not have comes from DRAM.
double dram_share(const LineCounts& l1, const LineCounts& l2, double cold) {
  const double missed = l1.rate(l1.fetched + l1.late);
  return missed == 0 ? 0 : cold * std::min(1.0, l2.rate(l2.fetched + l2.late) / missed);
}

}  // namespace

void Sampler::look_at_lives(const std::vector<LineCounts>& l1, const std::vector<LineCounts>& l2, double cold,
                            Sample& sample) const {
  const Operations operations(grid_.program, timing_.latencies, *grid_.schedule.gpu);
  for (const auto& trace : traces_) {
    if (trace->detail != BlockTrace::Detail::instructions || !is_on_sampled_multiprocessor(trace->linear)) continue;
    std::vector<std::vector<AnswerShares>> answers;
    for (const WarpTrace& warp : trace->warps) {
      auto& of_warp = answers.emplace_back(warp.requests.size());
      for (std::size_t r = 0; r < of_warp.size(); ++r) {
        const TracedRequest& request = warp.requests[r];
        unsigned missed = 0;
        for (unsigned i = 0; i < request.lines; ++i)
          missed += trace->lines[request.first_line + i].answer > static_cast<unsigned>(L1Answer::hit) ? 1u : 0u;
        if (missed == 0) continue;
        const std::uint32_t instruction = grid_.program.code[request.pc].counter;
        const double share = dram_share(l1[instruction], l2[instruction], cold);
        of_warp[r].dram = static_cast<float>(1 - std::pow(1 - share, missed));
        of_warp[r].l2 = 1 - of_warp[r].dram;
      }
    }
    sample.life.add(live(*trace, answers, operations, timing_.latencies));
    ++sample.lives;
  }
  if (sample.lives != 0) sample.life.divide_by(static_cast<double>(sample.lives));
}

}  // namespace cudasim
