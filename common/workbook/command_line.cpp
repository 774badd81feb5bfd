// SPDX-License-Identifier: MIT
// The only file that knows CLI11.
#include "workbook/command_line.h"

#include <CLI/CLI.hpp>
#include <optional>

namespace workbook {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::variant<TypedOptions, HelpText, UsageError> parse_command_line(const std::string& description,
                                                                    const std::vector<OptionRow>& rows, int argc,
                                                                    const char* const* argv) {
  CLI::App app(description);
  app.allow_extras();  // to name the first of them in words of our own
  std::map<std::string, std::optional<std::string>> values;
  std::map<std::string, bool> flags;
  for (const OptionRow& row : rows) {
    if (row.type.empty()) {
      app.add_flag("--" + row.name, flags[row.name], row.help);
    } else {
      app.add_option("--" + row.name, values[row.name], row.help)->type_name(row.type);
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::ParseError& error) {
    return UsageError{first_line(error.what()) + " (--help lists the options)"};
  }
  if (!app.remaining().empty()) {
    return UsageError{"unknown option " + first_line(app.remaining().front()) + " (--help lists the options)"};
  }
  TypedOptions typed;
  for (const auto& [name, value] : values) {
    if (value) typed[name] = *value;
  }
  for (const auto& [name, is_set] : flags) {
    if (is_set) typed[name] = "";
  }
  return typed;
}

Settings default_settings(const Stage& stage, const Problem& problem) {
  Settings settings = problem.defaults();
  if (stage.block_size > 0) settings.block_size = stage.block_size;
  return settings;
}

std::vector<OptionRow> settings_rows(const Problem& problem, const Settings& defaults) {
  std::vector<OptionRow> rows{
      {"seed", "S", "of the input, default " + std::to_string(defaults.seed)},
      {"block-size", "B",
       "threads a block, " + problem.block_size_rule() + ", default " + std::to_string(defaults.block_size)}};
  for (const OwnOption& option : problem.own_options()) {
    rows.push_back({option.name, option.type, option.help + "; default " + option.default_value});
  }
  return rows;
}

std::string interpret_settings(const Problem& problem, const TypedOptions& typed, Settings& settings) {
  if (std::string mistake = parse_given(typed, "seed", std::uint32_t{0}, settings.seed); !mistake.empty()) {
    return mistake;
  }
  if (std::string mistake = parse_given(typed, "block-size", 0u, settings.block_size); !mistake.empty()) return mistake;
  if (typed.count("block-size") > 0 && !problem.accepts_block_size(settings.block_size)) {
    return "--block-size " + typed.at("block-size") + " is not " + problem.block_size_rule();
  }
  for (const OwnOption& option : problem.own_options()) {
    const auto given = typed.find(option.name);
    if (given == typed.end()) continue;
    if (const std::string wrong = option.problem_with(given->second); !wrong.empty()) {
      return "--" + option.name + " " + given->second + " " + wrong;
    }
    settings.own[option.name] = given->second;
  }
  return "";
}

}  // namespace workbook
