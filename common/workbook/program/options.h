// SPDX-License-Identifier: MIT
// The options of a stage's program, from its command line.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/case/stage.h"
#include "workbook/program/command_line.h"

namespace workbook {

/// The place of the JSON output, if there is one. A file is written whole or not at all, and the text is also printed.
/// Without a file, the JSON replaces the text.
struct JsonTarget {
  bool wanted = false;
  std::string file;
};
JsonTarget json_target(const TypedOptions& typed);
constexpr const char* kJsonHelp = "one JSON object: into FILE, or, without one, instead of the text";

/// The options of a stage's program.
struct Options {
  Settings settings;
  HowToRun how;
  std::vector<Purpose> purposes;  ///< Empty: the one case of the settings.
  bool describe = false;
  bool explain = false;
  JsonTarget json;
  double time_limit_s = 0.0;  ///< 0: none.
};

using ParsedOptions = std::variant<Options, HelpText, UsageError>;

ParsedOptions parse_options(const Stage& stage, const Problem& problem, int argc, const char* const* argv);

/// The opening of the --help text.
std::string program_description(const Stage& stage, const std::string& what_it_does);

}  // namespace workbook
