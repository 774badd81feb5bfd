// SPDX-License-Identifier: MIT
// Every sentence that a student sees from a stage's program, and the same as JSON for other programs. Makes text; the
// one that prints it is program.cpp.
#pragma once

#include <string>

#include "workbook/case/run.h"
#include "workbook/case/stage.h"

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

/// The text for a run that came to a result, matching or not.
std::string text_report(const Stage& stage, const Problem& problem, const RunResult& result);

/// The same as one JSON object: `report` of common/workbook/verdict.schema.json, with each of the problem's own options
/// (distribution, ...), and cpu_NAME and gpu_NAME for each of its figures (cpu_sum, gpu_sum). A number that is not
/// finite is null.
std::string json_report(const Stage& stage, const Problem& problem, const RunResult& result);

/// Of many cases: how many were run, and the report of the one that does not match.
std::string text_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result);

/// The same as one JSON object, a `report` too: with cases (how many were run). Where one failed, it is the report of
/// that one, with failed (options: what to type to see it alone).
std::string json_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result);

/// What the problem and the stage are, for other programs: stage, title, source, problem, summary, unit, sizes (name,
/// help, standard, largest), block_sizes (rule, standard, accepted), seed (the standard one, where there is one),
/// options (name, help, standard, and values or smallest and largest), cases (how many of each purpose), lesson (size),
/// bench (sizes, simulated_sizes), needs (the compute capability, 0 for any).
std::string json_description(const Stage& stage, const Problem& problem);

/// One line for an end without a result.
std::string text_error(const Stage& stage, ExitStatus status, const std::string& message);

/// The same as one JSON object, a `report` too, of the fields that an end without a result has.
/// `options`, unless empty: failed (options), as above.
std::string json_error(const Stage& stage, ExitStatus status, const std::string& message, const std::string& options);

}  // namespace workbook
