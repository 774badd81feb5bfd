// SPDX-License-Identifier: MIT
// The whole of a stage's program but its main: options, run, report, exit status.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>

#include "workbook/command_line.h"
#include "workbook/report.h"
#include "workbook/run.h"
#include "workbook/stage.h"

namespace workbook {

struct Options {
  Settings settings;
  int repeat = 0;  ///< 0: run_case() chooses
  bool json = false;
  std::vector<Settings> other_tasks;  ///< empty where one of the problem's own options was given
};

using ParsedOptions = std::variant<Options, HelpText, UsageError>;

ParsedOptions parse_options(const Stage& stage, const Problem& problem, int argc, const char* const* argv);

/// Why the input that `settings` describe cannot be run on this device and host, or nothing if it can. Says how many
/// bytes are asked for and how many there are. `host_bytes`: the memory of this machine.
std::optional<std::string> too_large(const Problem& problem, const Settings& settings, const Device& device,
                                     std::size_t host_bytes);

/// The status and the sentence for an end without a result.
struct Failure {
  ExitStatus status;
  std::string message;
};

/// What the exception means that is being handled: for a `catch (...)`. `asked`: the option that asked for memory.
Failure current_failure(const std::string& asked);

/// Writes the failure, as one line and where asked for as JSON. Returns its status.
ExitStatus report_failure(const Stage& stage, const Failure& failure, bool json, std::ostream& out, std::ostream& err);

/// The opening of a --help.
std::string program_description(const Stage& stage, const std::string& what_it_does);

/// Parses, runs, and writes the report to `out` and one line about a failure to `err`. Throws nothing.
ExitStatus run_program(const Stage& stage, const Problem& problem, int argc, const char* const* argv, std::ostream& out,
                       std::ostream& err);

}  // namespace workbook
