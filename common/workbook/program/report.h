// SPDX-License-Identifier: MIT
// All sentences that a stage's program shows a student, and the same as JSON for other programs. This file makes text;
// program.cpp prints it.
#pragma once

#include <string>

#include "workbook/case/run.h"
#include "workbook/case/stage.h"

namespace workbook {

/// The exit status of a stage's program. It is part of the interface: scripts and tests rely on the numbers.
enum class ExitStatus : int {
  matches = 0,
  does_not_match = 1,
  wrong_usage = 2,
  device_error = 3,  ///< CUDA or the simulator reported an error, or there is no device.
  unsolved = 77,     ///< Not solved yet, or the device cannot run it. ctest shows it as skipped.
};

/// The word for `error_kind` in the JSON: "wrong-usage", "device-error", ...
const char* name_of(ExitStatus status);

/// The text for a run with a result, matching or not.
std::string text_report(const Stage& stage, const Problem& problem, const RunResult& result);

/// The same as one JSON object: `report` of common/workbook/verdict.schema.json. It has each of the problem's own
/// options (distribution, ...). It has cpu_NAME and gpu_NAME for each result value (cpu_sum, gpu_sum). A number that is
/// not finite is null.
std::string json_report(const Stage& stage, const Problem& problem, const RunResult& result);

/// The text for many cases: their number, and the report of the case that does not match.
std::string text_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result);

/// The same as one JSON object, a `report` too, with cases (how many ran). Where one failed, it is the report of that
/// case, with failed (the options that run it alone).
std::string json_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result);

/// A description of the problem and the stage for other programs. Its fields:
/// * stage, title, source, problem, summary, unit.
/// * sizes (name, help, standard, largest).
/// * block_sizes (rule, standard, accepted).
/// * seed (the standard one, where there is one).
/// * options (name, help, standard, and values or smallest and largest).
/// * cases (how many of each purpose), lesson (size), bench (sizes, simulated_sizes).
/// * needs (the compute capability, 0 for any).
std::string json_description(const Stage& stage, const Problem& problem);

/// One line for an end without a result.
std::string text_error(const Stage& stage, ExitStatus status, const std::string& message);

/// The same as one JSON object: a `report` with the fields of an end without a result. If `options` is not empty, it
/// has failed (options), as above.
std::string json_error(const Stage& stage, ExitStatus status, const std::string& message, const std::string& options);

}  // namespace workbook
