// SPDX-License-Identifier: MIT
// The whole of a stage's program but its main: options, run, report, exit status.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/case/stage.h"
#include "workbook/program/command_line.h"
#include "workbook/program/report.h"
#include "workbook/student/cuda_check.h"

namespace workbook {

/// Where the JSON goes, if there shall be any. A file is written whole or not at all, and the text is printed beside
/// it; without a file the JSON is printed instead of the text.
struct JsonTarget {
  bool wanted = false;
  std::string file;
};
JsonTarget json_target(const TypedOptions& typed);
constexpr const char* kJsonHelp = "one JSON object: into FILE, or, without one, instead of the text";

struct Options {
  Settings settings;
  HowToRun how;
  std::vector<Purpose> purposes;  ///< empty: the one case of the settings
  bool describe = false;
  bool explain = false;
  JsonTarget json;
  double time_limit_s = 0.0;  ///< 0: none
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
  std::string options;  ///< of the case in which it happened; "": those that were typed
};

/// What the exception means that is being handled: for a `catch (...)`. `asked`: the option that asked for memory.
Failure current_failure(const std::string& asked);

/// "todo.cu:12: cudaGetLastError()"
std::string place_of(const LastCall& last);

/// Writes the failure, as one line and where asked for as JSON. Returns its status.
ExitStatus report_failure(const Stage& stage, const Failure& failure, const JsonTarget& json, std::ostream& out,
                          std::ostream& err);

/// Writes the report, as text and where asked for as JSON. Returns `status`, or that of the error that it is to have no
/// place for the JSON.
ExitStatus report(const std::string& text, const std::string& json_text, const JsonTarget& json, ExitStatus status,
                  std::ostream& out, std::ostream& err);

/// The opening of a --help.
std::string program_description(const Stage& stage, const std::string& what_it_does);

/// Parses, runs, and writes the report to `out` and one line about a failure to `err`. Throws nothing.
ExitStatus run_program(const Stage& stage, const Problem& problem, int argc, const char* const* argv, std::ostream& out,
                       std::ostream& err);

}  // namespace workbook
