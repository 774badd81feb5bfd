// SPDX-License-Identifier: MIT
// Every sentence that a student sees from a stage's program, and the same as JSON for other programs. Makes text; the
// one that prints it is program.cpp.
#pragma once

#include <string>

#include "workbook/run.h"
#include "workbook/stage.h"

namespace workbook {

/// How a stage's program ends. Part of its interface: scripts and tests rely on the numbers.
enum class ExitStatus : int {
  matches = 0,
  does_not_match = 1,
  wrong_usage = 2,
  device_error = 3,  ///< CUDA or the simulator reported an error, or there is no device
  unsolved = 77,     ///< or the device cannot run it; ctest shows it as skipped
};

/// "wrong-usage", "device-error", ...: the word for `error_kind` in the JSON.
const char* name_of(ExitStatus status);

/// The options that ask a stage's program for these settings: "--size 10 --seed 1 --block-size 256 --distribution
/// exact".
std::string command_line(const Settings& settings);

/// The text for a run that came to a result, matching or not. `problem_name`: Problem::name().
std::string text_report(const Stage& stage, const std::string& problem_name, const RunResult& result);

/// The same as one JSON object: stage, title, source, device, simulated, problem, size, seed, block_size, each of the
/// problem's own options (distribution, ...), cpu_NAME and gpu_NAME for each of its figures (cpu_sum, gpu_sum),
/// absolute_error, relative_error, bound, matches, time_ms, time_kind ("gpu" or "simulation"), timed_calls,
/// cpu_time_ms; and, where it does not match, error_kind and error (the reason). A number that is not finite is null.
/// other_tasks, where there are any: the options for each, as command_line() makes them.
std::string json_report(const Stage& stage, const std::string& problem_name, const RunResult& result);

/// One line for an end without a result.
std::string text_error(const Stage& stage, ExitStatus status, const std::string& message);

/// The same as one JSON object: stage, title, source, matches (false), error_kind, error.
std::string json_error(const Stage& stage, ExitStatus status, const std::string& message);

}  // namespace workbook
