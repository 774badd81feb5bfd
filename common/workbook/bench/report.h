// SPDX-License-Identifier: MIT
// The results of a benchmark program as text and as JSON. This file makes text; bench/program.cpp prints it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workbook/bench/bench_device.h"
#include "workbook/bench/benchmark.h"
#include "workbook/bench/measure.h"
#include "workbook/case/device.h"
#include "workbook/case/problem.h"
#include "workbook/case/stage.h"

namespace workbook {

/// The results of one row: one size, or one case of a size.
struct SizeResult {
  Sizes sizes;
  std::string which;  ///< Which of several rows of one size: "--hits one". Else "".
  Work work;
  std::vector<Peer> peers;  ///< At this size, without their launches.
  std::string skipped;      ///< Why nothing below is known: "needs 8 bytes, 4 are free".
  std::size_t buffers = 0;
  Checked checked;
  bool is_in_l2 = false;  ///< Whether the L2 cache holds all that the rotated inputs have of memory.
  int samples = 0;        ///< 0: checked and not timed.
  Times times;
};

/// The results of a benchmark program.
struct BenchResult {
  Device device;
  DeviceFacts facts;
  Settings settings;             ///< All settings but the size.
  std::vector<Peer> peers;       ///< Names, and which of them are missing. Empty when every size was skipped.
  CopySpeed copy;                ///< 0 when nothing was timed.
  double empty_launch_us = 0.0;  ///< Likewise.
  std::vector<SizeResult> sizes;

  bool matches() const;  ///< True if all sizes match that were not skipped.
  /// The arithmetic of a size as a share of the peak of all FP32 lanes. The peak counts two operations a lane and
  /// cycle, at the clock of the measurement. 0 where it was not timed, or the lanes are not known.
  double of_peak(const SizeResult& row) const;
};

/// A table with one line a size.
std::string text_bench_report(const Stage& stage, const Problem& problem, const BenchResult& result);

/// One JSON object with these fields:
/// * stage, title, source, problem, device, simulated, seed, block_size, the problem's own options.
/// * peers (their names), l2_bytes.
/// * compute_capability of the device, compiled_for of the stage's kernels (90 for 9.0).
/// * fp32_lanes of all multiprocessors (0: not known).
/// * copy_gb_s, copy_bytes and empty_launch_us (null when nothing was timed).
/// * matches, and sizes.
///
/// Each of the sizes has:
/// * size, case (where there are several of one size), work (as in report.h).
/// * Either skipped (why) or buffers, in_place, in_l2 (all inputs fit in the cache), matches, error, error_u.
/// * With the latter, peers (name, tuned_for: the compute capability for which a library that comes as source chose its
///   tiles, and missing or error_u), and reason where it does not match.
/// * Where it was timed: samples, batch, clock_mhz, of_peak (as above), time_us, and for each peer its own.
///
/// A time and the clock each have median, min, max, q1 and q3 of one computation. A number that is not finite is null.
std::string json_bench_report(const Stage& stage, const Problem& problem, const BenchResult& result);

}  // namespace workbook
