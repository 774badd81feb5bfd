// SPDX-License-Identifier: MIT
#include "workbook/program/options.h"

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace workbook {
namespace {

std::string parse_purposes(const TypedOptions& typed, std::vector<Purpose>& purposes) {
  const auto given = typed.find("cases");
  if (given == typed.end()) return "";
  std::istringstream words(given->second);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t before = purposes.size();
    for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
      if (word == name_of(purpose)) purposes.push_back(purpose);
    }
    if (purposes.size() == before) return "--cases " + word + " is unknown; there are quick, hostile, full";
  }
  if (purposes.empty()) return "--cases names no purpose; there are quick, hostile, full";
  for (const char* const name : {"size", "block-size", "repeat", "changed"}) {
    if (typed.count(name) > 0) return std::string("--") + name + " is for one case, and --cases brings its own";
  }
  return "";
}

std::string parse_poison(const TypedOptions& typed, unsigned char& poison) {
  const auto given = typed.find("poison");
  if (given == typed.end()) return "";
  char* end = nullptr;
  const unsigned long value = std::strtoul(given->second.c_str(), &end, 0);
  const bool is_byte = !given->second.empty() && std::isdigit(static_cast<unsigned char>(given->second[0])) != 0 &&
                       *end == '\0' && value <= 0xFF;
  if (!is_byte) return "--poison " + given->second + " is no byte: 0 to 255, or 0x0 to 0xFF";
  poison = static_cast<unsigned char>(value);
  return "";
}

std::string parse_time_limit(const TypedOptions& typed, double& seconds) {
  const auto given = typed.find("time-limit");
  if (given == typed.end()) return "";
  char* end = nullptr;
  seconds = std::strtod(given->second.c_str(), &end);
  const bool is_time = !given->second.empty() && *end == '\0' && seconds > 0.0 && seconds <= 1e6;
  return is_time ? "" : "--time-limit " + given->second + " is not a number of seconds above 0";
}

}  // namespace

JsonTarget json_target(const TypedOptions& typed) {
  const auto given = typed.find("json");
  return given == typed.end() ? JsonTarget{} : JsonTarget{true, given->second};
}

std::string program_description(const Stage& stage, const std::string& what_it_does) {
  return "Stage " + std::to_string(stage.number) + ": " + stage.title + " (" + stage.source + "). " + what_it_does +
         " Exit status: 0 matches, 1 does not match, 2 wrong usage, 3 CUDA or simulator error, 77 not solved yet.";
}

ParsedOptions parse_options(const Stage& stage, const Problem& problem, int argc, const char* const* argv) {
  Options options;
  Settings& settings = options.settings;
  settings = default_settings(stage, problem);
  std::string size_type, size_help;
  for (const Extent& extent : problem.extents()) {
    size_type += (size_type.empty() ? "" : "x") + (extent.name == "size" ? "N" : extent.name);
    size_help += (size_help.empty() ? "" : ", ") + extent.help;
  }
  std::vector<OptionRow> rows{{"size", size_type, size_help + ", default " + text_of(settings.sizes)}};
  for (OptionRow& row : settings_rows(stage, problem)) rows.push_back(std::move(row));
  rows.push_back({"repeat", "N", "timed calls, of which the median is shown; default 5 on a GPU, 1 simulated"});
  rows.push_back({"cases", "LIST", "instead of one case, all of these purposes: quick, hostile, full (--describe)"});
  rows.push_back({"changed", "N", "once more with one element changed, which N draws: the result must change, too"});
  rows.push_back({"explain", "", "find a small case that fails too, and a diagnosis, where the result does not match"});
  rows.push_back({"poison", "BYTE", "the value of a result's bytes before the call: 0xFF (the default), 0xA5, ..."});
  rows.push_back({"time-limit", "SECONDS", "end with an error after this time"});
  rows.push_back({"describe", "", "print a description of the problem as JSON, and run nothing"});
  rows.push_back({"json", "[FILE]", kJsonHelp});

  auto parsed = parse_command_line(program_description(stage, problem.help()), rows, argc, argv);
  if (auto* help = std::get_if<HelpText>(&parsed)) return *help;
  if (auto* error = std::get_if<UsageError>(&parsed)) return *error;
  const TypedOptions& typed = std::get<TypedOptions>(parsed);
  options.json = json_target(typed);
  options.describe = typed.count("describe") > 0;
  options.explain = typed.count("explain") > 0;
  std::string mistake;
  if (const auto given = typed.find("size"); given != typed.end()) {
    mistake = parse_sizes("--size", given->second, problem, settings.sizes);
  }
  if (mistake.empty()) mistake = parse_given(typed, "repeat", 1, options.how.repeat);
  std::uint64_t changed = 0;
  if (mistake.empty()) mistake = parse_given(typed, "changed", std::uint64_t{0}, changed);
  if (typed.count("changed") > 0) settings.changed = changed;
  if (mistake.empty()) mistake = interpret_settings(stage, problem, typed, settings);
  if (mistake.empty()) mistake = parse_purposes(typed, options.purposes);
  if (mistake.empty()) mistake = parse_poison(typed, options.how.poison);
  if (mistake.empty()) mistake = parse_time_limit(typed, options.time_limit_s);
  if (!mistake.empty()) return UsageError{mistake};
  return options;
}

}  // namespace workbook
