// SPDX-License-Identifier: MIT
// What the command lines of a stage's programs have in common: options as rows, the one line that each mistake gets,
// and the options that choose a problem's settings.
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

/// What parsing leads to when there is nothing to run.
struct HelpText {
  std::string text;
};
struct UsageError {
  std::string message;  ///< one line
};

struct OptionRow {
  std::string name;  ///< without dashes
  std::string
      type;  ///< "N": a word for the value in the help text, in brackets where it may be left out; empty: a flag
  std::string help;
};

/// The options that were given, as they were typed; the value of a flag, and one that was left out, is empty.
using TypedOptions = std::map<std::string, std::string>;

/// `description` opens the help text. Anything else than the options of `rows` is an error.
std::variant<TypedOptions, HelpText, UsageError> parse_command_line(const std::string& description,
                                                                    const std::vector<OptionRow>& rows, int argc,
                                                                    const char* const* argv);

/// The settings of a program to which nobody said anything.
Settings default_settings(const Stage& stage, const Problem& problem);

/// --seed where there is one, --block-size and the problem's own options.
std::vector<OptionRow> settings_rows(const Stage& stage, const Problem& problem);

/// Sets what these options say. Returns what is wrong with one, or "".
std::string interpret_settings(const Stage& stage, const Problem& problem, const TypedOptions& typed,
                               Settings& settings);

/// "1000" or "2^10", or "64x48" for a problem with two extents, where one number stands for all of them. Returns what
/// is wrong, or "" when `sizes` has been set. `option`, with its dashes, is for the message.
std::string parse_sizes(const std::string& option, const std::string& asked, const Problem& problem, Sizes& sizes);

/// The options that ask a program for these settings: "--size 10 --seed 1 --block-size 256 --distribution exact".
std::string command_line(const Problem& problem, const Settings& settings);

/// The value of an option as one types it.
std::string text_of(const Option& option, double value);

/// A size is digits and nothing else: CLI11 would accept "1.5", "0x10" and, for an unsigned number, "-1".
/// `option`, with its dashes, is for the message. Returns what is wrong, or "" when `number` has been set.
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

/// parse_number for an option that was given; "" for one that was not.
template <typename Number>
std::string parse_given(const TypedOptions& typed, const std::string& name, Number smallest, Number& number) {
  const auto given = typed.find(name);
  return given == typed.end() ? "" : parse_number("--" + name, given->second, smallest, number);
}

}  // namespace workbook
