// SPDX-License-Identifier: MIT
// The order of steps in a measurement.
#include "workbook/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace workbook {
namespace {

// The next input, over all samples of stage and peers.
class Rotation {
 public:
  explicit Rotation(std::size_t buffers) : buffers_(buffers) {}
  std::size_t next() {
    const std::size_t turn = next_;
    next_ = next_ + 1 == buffers_ ? 0 : next_ + 1;
    return turn;
  }

 private:
  std::size_t buffers_;
  std::size_t next_ = 0;
};

using Launch = std::function<void(std::size_t turn)>;

// The launches of the stage, and of the peers that are there.
std::vector<Launch> launches_of(Benchmark& benchmark) {
  std::vector<Launch> launches{[&benchmark](std::size_t turn) { benchmark.launch(turn); }};
  for (const Peer& peer : benchmark.peers()) {
    if (peer.missing.empty()) launches.push_back(peer.launch);
  }
  return launches;
}

// One sample: its time divided by its computations.
double sample_us(const Launch& launch, std::size_t batch, Rotation& rotation, const Instruments& instruments) {
  const double time_us = instruments.time_us([&] {
    for (std::size_t i = 0; i < batch; ++i) launch(rotation.next());
  });
  return time_us / static_cast<double>(batch);
}

double quartile(const std::vector<double>& sorted, int quarter) {
  const double place = static_cast<double>(sorted.size() - 1) * quarter / 4.0;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

// The larger of two values. NaN counts as the largest.
double larger(double one, double other) { return std::isnan(one) || other <= one ? one : other; }

double in_units(double error, double unit) { return error == 0.0 ? 0.0 : error / unit; }

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no values have no median");
  std::sort(values.begin(), values.end());
  return {quartile(values, 2), values.front(), values.back(), quartile(values, 1), quartile(values, 3)};
}

std::size_t buffer_count(double input_bytes, std::size_t l2_bytes) {
  if (input_bytes <= 0.0) return 1;
  return std::max<std::size_t>(2,
                               static_cast<std::size_t>(std::ceil(4.0 * static_cast<double>(l2_bytes) / input_bytes)));
}

std::size_t next_batch(std::size_t batch, double sample_us) {
  if (sample_us >= kSampleUs) return batch;
  const double wanted = std::ceil(static_cast<double>(batch) * kSampleUs / std::max(sample_us, 1e-3) * 1.05);
  return static_cast<std::size_t>(std::min(wanted, 10.0 * static_cast<double>(batch)));
}

std::size_t find_batch(Benchmark& benchmark, std::size_t buffers, const Instruments& instruments) {
  constexpr std::size_t kMost = 100'000;  // the limit where a computation seems to take no time
  Rotation rotation(buffers);
  std::size_t batch = 1;
  const std::vector<Launch> launches = launches_of(benchmark);
  // The first call of each loads its kernels.
  for (const Launch& launch : launches) sample_us(launch, 1, rotation, instruments);
  while (batch < kMost) {
    double fastest_us = std::numeric_limits<double>::infinity();
    for (const Launch& launch : launches) {
      fastest_us = std::min(fastest_us, sample_us(launch, batch, rotation, instruments));
    }
    const std::size_t next = next_batch(batch, fastest_us * static_cast<double>(batch));
    if (next == batch) break;
    batch = next;
  }
  return std::min(batch, kMost);
}

Times take_times(Benchmark& benchmark, std::size_t buffers, std::size_t batch, int samples, bool in_place,
                 const Instruments& instruments) {
  if (in_place && batch > buffers) throw std::invalid_argument("a sample would meet inputs that it has changed itself");
  Rotation rotation(buffers);
  const std::vector<Launch> launches = launches_of(benchmark);
  std::vector<std::vector<double>> times_us(launches.size());
  std::vector<double> clocks_mhz;
  for (int i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < launches.size(); ++j) {
      // Alternates the direction: the first in one round is the last in the next.
      const std::size_t which = i % 2 == 0 ? j : launches.size() - 1 - j;
      if (in_place) {
        benchmark.restore();
        instruments.clean_cache();
      } else {
        launches[which](rotation.next());
      }
      times_us[which].push_back(sample_us(launches[which], batch, rotation, instruments));
      clocks_mhz.push_back(instruments.clock_mhz());
    }
  }
  if (in_place) benchmark.restore();
  Times times{batch, spread_of(std::move(times_us[0])), {}, spread_of(std::move(clocks_mhz))};
  for (std::size_t j = 1; j < times_us.size(); ++j) times.peers_us.push_back(spread_of(std::move(times_us[j])));
  return times;
}

Checked check_results(Benchmark& benchmark, std::size_t buffers) {
  Checked checked;
  for (const std::size_t turn : std::set<std::size_t>{0, 1 % buffers, buffers - 1}) {
    const BenchCheck result = benchmark.check(turn);
    checked.error = larger(checked.error, result.stage.error);
    checked.error_u = larger(checked.error_u, in_units(result.stage.error, result.error_unit));
    checked.peers_error_u.resize(result.peers.size());
    for (std::size_t i = 0; i < result.peers.size(); ++i) {
      checked.peers_error_u[i] = larger(checked.peers_error_u[i], in_units(result.peers[i].error, result.error_unit));
    }
    if (benchmark.is_changed(turn)) {
      checked.in_place = true;
      benchmark.restore();
    }
    if (!checked.matches) continue;
    if (!result.stage.matches) {
      checked.matches = false;
      checked.reason = result.stage.reason;
      continue;
    }
    for (const Verdict& peer : result.peers) {
      if (peer.matches || !checked.matches) continue;
      checked.matches = false;
      checked.reason = "the peer, not the stage: " + peer.reason;
    }
  }
  return checked;
}

}  // namespace workbook
