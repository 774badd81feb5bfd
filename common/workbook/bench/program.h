// SPDX-License-Identifier: MIT
// The whole benchmark program except its main: options, check, measurement, report, exit status.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "workbook/bench/benchmark.h"
#include "workbook/program/command_line.h"
#include "workbook/program/program.h"
#include "workbook/program/report.h"

namespace workbook {

/// The options of a benchmark program.
struct BenchOptions {
  Settings settings;           ///< All settings but those in which rows differ.
  std::vector<Settings> rows;  ///< Their sizes, and the values of options that are rows (Option::is_row).
  int samples = 21;
  bool check_only = false;  ///< Runs everything once and times nothing; also on a simulated device.
  JsonTarget json;
};

/// The function make_benchmark(), or its replacement in a test.
using MakeBenchmark = std::function<std::unique_ptr<Benchmark>(const Settings& settings, std::size_t buffers)>;

std::variant<BenchOptions, HelpText, UsageError> parse_bench_options(const Stage& stage, const Problem& problem,
                                                                     int argc, const char* const* argv);

/// Why a peer must not be timed on a GPU of this compute capability: it has the tiles of another one. Else "".
std::string tuning_problem(const Peer& peer, int compute_capability);

/// First runs the stage's own function at a small size, as its program does. Then, at each size, checks stage and peers
/// against the reference. Where all match, takes their times. Writes the report to `out` and one line about a failure
/// to `err`. Without check_only, refuses a simulated device, because it has no GPU times. Throws nothing.
ExitStatus run_bench_program(const Stage& stage, const Problem& problem, const MakeBenchmark& make, int argc,
                             const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace workbook
