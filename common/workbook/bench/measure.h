// SPDX-License-Identifier: MIT
// The protocol of the benchmark: cold inputs, samples of many computations, stage and peers in turns. Statistics and
// protocol do not know the device; Instruments provide what they need. Nothing waits within a sample. So where a kernel
// is shorter than its launch, the result is the launch rate of the host.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workbook/bench/benchmark.h"

namespace workbook {

/// A sample of this length makes the gap between an event and the first kernel negligible: about 3 of 1,000.
constexpr double kSampleUs = 1000.0;

/// Spread: the median and the quartiles of several values.
struct Spread {
  double median = 0.0;
  double min = 0.0;
  double max = 0.0;
  double q1 = 0.0;  ///< A quarter of the values is below.
  double q3 = 0.0;  ///< A quarter of the values is above.
};

/// Interpolates between two values: the quantile of `quarter` 1 lies at (count - 1) / 4 in the sorted values. Throws
/// std::invalid_argument when there are no values.
Spread spread_of(std::vector<double> values);

/// The number of inputs for rotation: together at least four times the L2 cache, and at least two inputs. So an input
/// has left the cache before its next turn. The result is 1 when there is no input.
std::size_t buffer_count(double input_bytes, std::size_t l2_bytes);

/// The next batch to try after a sample of `batch` computations took `sample_us`. It is `batch` itself if that is
/// kSampleUs or more. It grows at most tenfold at a time, because the first samples are not precise.
std::size_t next_batch(std::size_t batch, double sample_us);

/// Instruments: the device functions of the protocol. A test may use empty functions.
struct Instruments {
  /// Waits for the device, calls `launches`, and waits again. Returns the device time between, in microseconds.
  std::function<double(const std::function<void()>& launches)> time_us;
  /// Fills the L2 cache with unmodified lines, by reads.
  std::function<void()> clean_cache;
  /// The present clock of the multiprocessors.
  std::function<double()> clock_mhz;
};

/// The timings of one size: stage, peers and clock.
struct Times {
  std::size_t batch = 0;         ///< Computations a sample.
  Spread stage_us;               ///< The time of one computation.
  std::vector<Spread> peers_us;  ///< The time of each peer that is there.
  Spread clock_mhz;              ///< Read after each sample, because a GPU at its power limit slows down.
};

/// The number of computations that a sample needs for kSampleUs, by the fastest of stage and peers. It also warms up
/// all of them.
std::size_t find_batch(Benchmark& benchmark, std::size_t buffers, const Instruments& instruments);

/// Takes `samples` of the stage and as many of each peer, in turns. Each round reverses the order (stage, peer, peer,
/// stage, ...). Inputs rotate through all, so that none uses the input that was just read. Before each sample, the same
/// computation runs once untimed. So each sample finds in the L2 cache what its own computation leaves, and not what
/// another one leaves. With one computation of 8 GB a sample, this makes a difference of up to 3 %.
/// A stage may work in place (`batch` is at most `buffers`). Then this function restores the inputs and cleans the
/// cache before each sample, of stage and peers.
Times take_times(Benchmark& benchmark, std::size_t buffers, std::size_t batch, int samples, bool in_place,
                 const Instruments& instruments);

/// The check of stage and peers on one input after another. It holds the largest error of each in units, and the first
/// verdict that does not match.
struct Checked {
  bool matches = true;
  std::string reason;  ///< Why it does not match.
  double error = 0.0;  ///< |got - reference|, the stage's largest.
  double error_u = 0.0;
  std::vector<double> peers_error_u;
  bool in_place = false;  ///< The stage changes its input; the check restored it.
};

/// Checks the first inputs and the last.
Checked check_results(Benchmark& benchmark, std::size_t buffers);

}  // namespace workbook
