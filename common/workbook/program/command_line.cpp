// SPDX-License-Identifier: MIT
// The only file that knows CLI11.
#include "workbook/program/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

namespace workbook {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The edit distance of two words: letters to add, to drop or to exchange.
std::size_t distance(const std::string& one, const std::string& other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t before = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t exchanged = before + (one[i] == other[j] ? 0 : 1);
      before = std::exchange(row[j + 1], std::min({exchanged, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

// Example: "unknown option --sise; did you mean --size?". It names the nearest of `rows`, if one is near.
std::string unknown_option(const std::string& typed, const std::vector<OptionRow>& rows) {
  std::string nearest;
  std::size_t least = 3;  // a typing error changes fewer letters
  for (const OptionRow& row : rows) {
    const std::size_t far = distance(typed.substr(0, typed.find('=')), "--" + row.name);
    if (far >= least) continue;
    least = far;
    nearest = "; did you mean --" + row.name + "?";
  }
  return "unknown option " + first_line(typed) + nearest + " (--help lists the options)";
}

// Parses the value of a problem's own option. Returns an error text that follows "--name value ", or "".
std::string parse_value(const Option& option, const std::string& text, double& value) {
  if (!option.words.empty()) {
    std::string names;
    for (std::size_t i = 0; i < option.words.size(); ++i) {
      names += (names.empty() ? "" : ", ") + option.words[i];
      if (option.words[i] != text) continue;
      value = static_cast<double>(i);
      return "";
    }
    return "is unknown; there are " + names;
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) return "is not a number";
  if (option.is_whole && number != std::floor(number)) return "is not a whole number";
  if (!(number >= option.smallest && number <= option.largest)) {
    return "is not between " + text_of(option, option.smallest) + " and " + text_of(option, option.largest);
  }
  value = number;
  return "";
}

}  // namespace

std::variant<TypedOptions, HelpText, UsageError> parse_command_line(const std::string& description,
                                                                    const std::vector<OptionRow>& rows, int argc,
                                                                    const char* const* argv) {
  CLI::App app(description);
  app.allow_extras();  // the message for the first of them is our own
  std::map<std::string, std::optional<std::string>> values;
  std::map<std::string, bool> flags;
  for (const OptionRow& row : rows) {
    if (row.type.empty()) {
      app.add_flag("--" + row.name, flags[row.name], row.help);
      continue;
    }
    auto* const option = app.add_option("--" + row.name, values[row.name], row.help)->type_name(row.type);
    if (row.type.front() == '[') option->expected(0, 1);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::ParseError& error) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->results().size() > 1) return UsageError{option->get_name() + " is given more than once"};
    }
    return UsageError{first_line(error.what()) + " (--help lists the options)"};
  }
  if (!app.remaining().empty()) {
    return UsageError{unknown_option(app.remaining().front(), rows)};
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
  Settings settings;
  for (const Extent& extent : problem.extents()) settings.sizes.push_back(extent.standard);
  settings.seed = problem.has_seed() ? kDefaultSeed : 0;
  settings.block = block_rule(stage, problem).standard;
  for (const Option& option : problem.options()) settings.options[option.name] = option.standard;
  return settings;
}

std::vector<OptionRow> settings_rows(const Stage& stage, const Problem& problem) {
  const BlockRule rule = block_rule(stage, problem);
  std::vector<OptionRow> rows;
  if (problem.has_seed()) rows.push_back({"seed", "S", "of the input, default " + std::to_string(kDefaultSeed)});
  rows.push_back({"block-size", "B", "threads a block, " + rule.words + ", default " + text_of(rule.standard)});
  for (const Option& option : problem.options()) {
    std::string values;
    for (const std::string& word : option.words) values += (values.empty() ? ": " : ", ") + word;
    rows.push_back({option.name, option.words.empty() ? "X" : "NAME",
                    option.help + values + "; default " + text_of(option, option.standard)});
  }
  return rows;
}

std::string interpret_settings(const Stage& stage, const Problem& problem, const TypedOptions& typed,
                               Settings& settings) {
  if (std::string mistake = parse_given(typed, "seed", std::uint32_t{0}, settings.seed); !mistake.empty()) {
    return mistake;
  }
  if (const auto given = typed.find("block-size"); given != typed.end()) {
    const BlockRule rule = block_rule(stage, problem);
    dim3 block;
    const bool is_block = parse_block(given->second, block);
    const auto is_it = [&block](const dim3& shape) { return shape.x == block.x && shape.y == block.y; };
    if (!is_block || std::none_of(rule.shapes.begin(), rule.shapes.end(), is_it)) {
      return "--block-size " + given->second + " is not " + rule.words;
    }
    settings.block = block;
  }
  for (const Option& option : problem.options()) {
    const auto given = typed.find(option.name);
    if (given == typed.end()) continue;
    if (std::string wrong = parse_value(option, given->second, settings.options[option.name]); !wrong.empty()) {
      return "--" + option.name + " " + given->second + " " + wrong;
    }
  }
  return "";
}

std::string parse_sizes(const std::string& option, const std::string& asked, const Problem& problem, Sizes& sizes) {
  const std::vector<Extent> extents = problem.extents();
  const std::string typed = option + " " + asked;
  const std::string text = spelled_out(asked);
  sizes.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    if (one.empty() && !text.empty()) return typed + " has an extent that is no number";
    if (std::string wrong = parse_number(option, one, std::size_t{0}, sizes.emplace_back()); !wrong.empty())
      return wrong;
    begin = end + 1;
  }
  if (sizes.size() == 1) sizes.resize(extents.size(), sizes[0]);
  if (sizes.size() != extents.size()) {
    std::string words;
    for (const Extent& extent : extents) words += (words.empty() ? "" : "x") + extent.name;
    return typed + " has " + std::to_string(sizes.size()) + " extents: " + words + " has " +
           std::to_string(extents.size());
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] <= extents[i].largest) continue;
    return typed + " is too large: at most " + std::to_string(extents[i].largest);
  }
  return "";
}

std::string text_of(const Option& option, double value) {
  if (!option.words.empty()) return option.words.at(static_cast<std::size_t>(value));
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string command_line(const Problem& problem, const Settings& settings) {
  std::string text = "--size " + text_of(settings.sizes);
  if (problem.has_seed()) text += " --seed " + std::to_string(settings.seed);
  text += " --block-size " + text_of(settings.block);
  for (const Option& option : problem.options()) {
    text += " --" + option.name + " " + text_of(option, settings.options.at(option.name));
  }
  if (settings.changed) text += " --changed " + std::to_string(*settings.changed);
  return text;
}

}  // namespace workbook
