// SPDX-License-Identifier: MIT
// The values of the environment variables CUDASIM_... All of them are read once, at the first call that needs the
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/check_set.h"
#include "program/launch.h"
#include "timing/latencies.h"

namespace cudasim {

struct Settings {
  Schedule schedule;               ///< CUDASIM_SEED, CUDASIM_SCHEDULE, CUDASIM_WORKERS, CUDASIM_STEP_BUDGET.
  std::uint64_t memory_bytes = 0;  ///< CUDASIM_MEMORY; else half of the host's memory, at most 16 GiB.
  std::byte poison{0xFF};          ///< CUDASIM_POISON: the initial contents of memory.
  CheckSet checks;                 ///< CUDASIM_CHECK: words with commas.
  std::string report_file;         ///< CUDASIM_REPORT, in which %p stands for the process; empty: no report.
  bool prints_findings = true;     ///< CUDASIM_FINDINGS: also to standard error.
  std::string results_file;        ///< CUDASIM_RESULTS: the bytes that were copied from the device.
  std::uint64_t history_address = 0, history_bytes = 0;  ///< CUDASIM_HISTORY; no bytes: not requested.
  std::string trace_file;                                ///< CUDASIM_TRACE: what one block does to memory.
  std::uint64_t trace_block = 0;
  std::optional<Latencies> timing;    ///< CUDASIM_TIMING: counts for an estimate; none: they are not wanted.
  std::string ptxas, registers_file;  ///< CUDASIM_PTXAS and CUDASIM_REGISTERS; empty: ptxas is not asked.
  std::string error;                  ///< a malformed variable, in one sentence; empty: there is none
};

/// `value_of` gives a variable's value or nullptr: std::getenv, or a test's own.
Settings read_settings(const char* (*value_of)(const char* name));

/// "plain", "random" or "adversarial".
const char* name_of(Schedule::Order order);

}  // namespace cudasim
