// SPDX-License-Identifier: MIT
// The whole of a benchmark program but its main: options, check, measurement, report, exit status.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <variant>
#include <vector>

#include "workbook/bench/benchmark.h"
#include "workbook/program/command_line.h"
#include "workbook/program/program.h"
#include "workbook/program/report.h"

namespace workbook {

struct BenchOptions {
  Settings settings;           ///< but for what rows differ in
  std::vector<Settings> rows;  ///< their sizes, and the values of options that are rows (Option::is_row)
  int samples = 21;
  bool check_only = false;  ///< everything once, nothing timed: also on a simulated device
  JsonTarget json;
};

/// make_benchmark(), or a stand-in for it.
using MakeBenchmark = std::function<std::unique_ptr<Benchmark>(const Settings& settings, std::size_t buffers)>;

std::variant<BenchOptions, HelpText, UsageError> parse_bench_options(const Stage& stage, const Problem& problem,
                                                                     int argc, const char* const* argv);

/// First the stage's own function at a small size, as its program does; then, at each size, stage and peer against the
/// reference, and, where both match, their times. Writes the report to `out` and one line about a failure to `err`.
/// Without check_only, a simulated device is refused: it has no times to offer. Throws nothing.
ExitStatus run_bench_program(const Stage& stage, const Problem& problem, const MakeBenchmark& make, int argc,
                             const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace workbook
