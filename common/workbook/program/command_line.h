// SPDX-License-Identifier: MIT
// The command line of a stage's programs: options as rows, one-line error messages, and the options for a problem's
// settings.
#pragma once

#include <charconv>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/case/stage.h"

namespace workbook {

/// The result of parsing when there is nothing to run.
struct HelpText {
  std::string text;
};

/// A mistake in the command line.
struct UsageError {
  std::string message;  ///< One line.
};

/// An option of a program, for the parser and the help text.
struct OptionRow {
  std::string name;  ///< Without dashes.
  std::string type;  ///< The word "N" for the value in the help text. Brackets mean that it is optional. Empty: a flag.
  std::string help;
};

/// The typed options. The value of a flag is empty, and so is an omitted value.
using TypedOptions = std::map<std::string, std::string>;

/// `description` opens the help text. An option that is not in `rows` is an error.
std::variant<TypedOptions, HelpText, UsageError> parse_command_line(const std::string& description,
                                                                    const std::vector<OptionRow>& rows, int argc,
                                                                    const char* const* argv);

/// The settings of a program without options.
Settings default_settings(const Stage& stage, const Problem& problem);

/// The options --seed (where there is one), --block-size and the problem's own options.
std::vector<OptionRow> settings_rows(const Stage& stage, const Problem& problem);

/// Sets what these options say. Returns an error text for one of them, or "".
std::string interpret_settings(const Stage& stage, const Problem& problem, const TypedOptions& typed,
                               Settings& settings);

/// Parses "1000", "2^10", or "64x48" for a problem with two extents. There, one number stands for both extents. Sets
/// `sizes` and returns "", or returns an error text. The message names `option`, with its dashes.
std::string parse_sizes(const std::string& option, const std::string& asked, const Problem& problem, Sizes& sizes);

/// The options that give these settings: "--size 10 --seed 1 --block-size 256 --distribution exact".
std::string command_line(const Problem& problem, const Settings& settings);

/// The value of an option as a user types it.
std::string text_of(const Option& option, double value);

/// Parses a number of digits only: CLI11 would accept "1.5", "0x10" and, for an unsigned number, "-1". The message
/// names `option`, with its dashes. Returns an error text, or "" after it sets `number`.
template <typename Number>
std::string parse_number(const std::string& option, const std::string& text, Number smallest, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool only_digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!text.empty() && text[0] == '-' && text.find_first_not_of("0123456789", 1) == std::string::npos) {
    return option + " " + text + " is negative";
  }
  if (!only_digits) return option + " " + text + " is not a whole number";
  if (error == std::errc::result_out_of_range) {
    return option + " " + text + " is too large: at most " + std::to_string(std::numeric_limits<Number>::max());
  }
  if (error != std::errc() || stop != end) return option + " " + text + " is not a whole number";
  if (number < smallest) return option + " " + text + " is too small: at least " + std::to_string(smallest);
  return "";
}

/// Calls parse_number for a given option. Returns "" if the option is absent.
template <typename Number>
std::string parse_given(const TypedOptions& typed, const std::string& name, Number smallest, Number& number) {
  const auto given = typed.find(name);
  return given == typed.end() ? "" : parse_number("--" + name, given->second, smallest, number);
}

}  // namespace workbook
