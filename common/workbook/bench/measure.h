// SPDX-License-Identifier: MIT
// The protocol of the benchmark: cold inputs, samples of many computations, stage and peer in turns. Statistics and
// protocol know nothing of a device; what they need of one comes as Instruments. Nothing waits within a sample, so
// where the kernels take less time than their launches, what is measured is how fast the host can launch.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workbook/bench/benchmark.h"

namespace workbook {

/// A sample that takes this long drowns what lies between an event and the first kernel: about 3 of 1,000.
constexpr double kSampleUs = 1000.0;

/// Where the middle lies, and how far the rest is from it.
struct Spread {
  double median = 0.0;
  double min = 0.0;
  double max = 0.0;
  double q1 = 0.0;  ///< a quarter of the values is below
  double q3 = 0.0;  ///< a quarter of the values is above
};

/// Between two values, a quantile is interpolated: that of `quarter` 1 lies at (count - 1) / 4 in the sorted values.
/// Throws std::invalid_argument when there are no values.
Spread spread_of(std::vector<double> values);

/// How many inputs to rotate over: together four times the L2 cache or more, and two at least, so that an input has
/// left the cache before its turn comes again. 1 when there is no input.
std::size_t buffer_count(double input_bytes, std::size_t l2_bytes);

/// The next batch to try when a sample of `batch` computations took `sample_us`: `batch` itself when that is
/// kSampleUs or more. Grows at most tenfold at a time, because the first samples say little.
std::size_t next_batch(std::size_t batch, double sample_us);

/// What the protocol needs of a device. Empty functions of a test do as well.
struct Instruments {
  /// Waits for the device, calls `launches`, waits again; the device time between, in microseconds.
  std::function<double(const std::function<void()>& launches)> time_us;
  /// Fills the L2 cache with lines that nobody has changed, by reading.
  std::function<void()> clean_cache;
  /// The clock of the multiprocessors at this moment.
  std::function<double()> clock_mhz;
};

struct Times {
  std::size_t batch = 0;         ///< computations a sample
  Spread stage_us;               ///< of one computation
  std::vector<Spread> peers_us;  ///< of each peer that is there
  Spread clock_mhz;              ///< read behind each sample: a GPU at its limit of power slows down
};

/// How many computations a sample needs for kSampleUs, by the fastest of stage and peers. Warms all up on the way.
std::size_t find_batch(Benchmark& benchmark, std::size_t buffers, const Instruments& instruments);

/// `samples` of the stage and as many of each peer, in turns, each round from the other end (stage, peer, peer, stage,
/// ...). Inputs rotate through all: none meets what the one before has just read. Before each sample the same
/// computation runs once untimed, so that each meets what it leaves in the L2 itself, and not what its rivals prefer to
/// keep there: with one computation of 8 GB a sample, that was worth up to 3 %. Of a stage that works in place (`batch`
/// at most `buffers`), the inputs are restored and the cache is made clean instead, before each sample of either.
Times take_times(Benchmark& benchmark, std::size_t buffers, std::size_t batch, int samples, bool in_place,
                 const Instruments& instruments);

/// Stage and peers on one input after another: the largest error of each in units, and the first verdict that is no
/// match.
struct Checked {
  bool matches = true;
  std::string reason;  ///< why not
  double error = 0.0;  ///< |got - reference|, the stage's largest
  double error_u = 0.0;
  std::vector<double> peers_error_u;
  bool in_place = false;  ///< the stage changes its input; what it changed has been restored
};

/// The first inputs and the last.
Checked check_results(Benchmark& benchmark, std::size_t buffers);

}  // namespace workbook
