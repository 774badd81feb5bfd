// SPDX-License-Identifier: MIT
// The command line (CLI11) and the one place that turns exceptions into exit statuses and prints.
#include "workbook/program.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <ostream>

#include "workbook/cuda_check.h"
#include "workbook/todo.h"

namespace workbook {
namespace {

// CLI11 would accept "1.5", "0x10" and, for an unsigned number, "-1". A size is digits and nothing else.
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

// The values as they were typed; nothing where an option was not given.
struct RawOptions {
  std::optional<std::string> size, seed, block_size, repeat;
  std::map<std::string, std::optional<std::string>> own;
};

std::string interpret_own(const Problem& problem, const RawOptions& raw, Settings& settings) {
  for (const OwnOption& option : problem.own_options()) {
    const std::optional<std::string>& value = raw.own.at(option.name);
    if (!value) continue;
    if (const std::string wrong = option.problem_with(*value); !wrong.empty()) {
      return "--" + option.name + " " + *value + " " + wrong;
    }
    settings.own[option.name] = *value;
  }
  return "";
}

std::string interpret(const Problem& problem, const RawOptions& raw, Options& options) {
  Settings& settings = options.settings;
  std::string mistake;
  if (raw.size) mistake = parse_number("--size", *raw.size, std::size_t{0}, settings.size);
  if (mistake.empty() && raw.seed) mistake = parse_number("--seed", *raw.seed, std::uint32_t{0}, settings.seed);
  if (mistake.empty() && raw.repeat) mistake = parse_number("--repeat", *raw.repeat, 1, options.repeat);
  if (mistake.empty() && raw.block_size) {
    mistake = parse_number("--block-size", *raw.block_size, 0u, settings.block_size);
    if (mistake.empty() && !problem.accepts_block_size(settings.block_size)) {
      mistake = "--block-size " + *raw.block_size + " is not " + problem.block_size_rule();
    }
  }
  return mistake.empty() ? interpret_own(problem, raw, settings) : mistake;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::size_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_bytes <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

// A result, or the status and the sentence for its absence.
struct Failure {
  ExitStatus status;
  std::string message;
};

std::variant<RunResult, Failure> run_options(const Options& options, const Problem& problem) {
  const Settings& settings = options.settings;
  try {
    const Device device = current_device();
    if (const auto why = too_large(problem, settings, device, host_memory_bytes())) {
      return Failure{ExitStatus::wrong_usage, *why};
    }
    return run_case(*problem.make_case(settings), settings, device, options.repeat);
  } catch (const Unsolved& unsolved) {
    return Failure{ExitStatus::unsolved, unsolved.what()};
  } catch (const std::bad_alloc&) {
    return Failure{ExitStatus::wrong_usage, "--size " + std::to_string(settings.size) +
                                                ": this machine has no memory left for the input and its copy"};
  } catch (const std::exception& error) {
    return Failure{ExitStatus::device_error, error.what()};
  } catch (...) {
    return Failure{ExitStatus::device_error, "the stage's function threw something that is no std::exception"};
  }
}

}  // namespace

ParsedOptions parse_options(const Stage& stage, const Problem& problem, int argc, const char* const* argv) {
  CLI::App app("Stage " + std::to_string(stage.number) + ": " + stage.title + " (" + stage.source + "). " +
               problem.help() +
               " Exit status: 0 matches, 1 does not match, 2 wrong usage, 3 CUDA or simulator error, "
               "77 not solved yet.");
  RawOptions raw;
  Options options;
  options.settings = problem.defaults();
  if (stage.block_size > 0) options.settings.block_size = stage.block_size;
  const auto shown = [](auto number) { return std::to_string(number); };
  app.allow_extras();  // to name the first of them in words of our own
  app.add_option("--size", raw.size, problem.size_help() + ", default " + shown(options.settings.size))->type_name("N");
  app.add_option("--seed", raw.seed, "of the input, default " + shown(options.settings.seed))->type_name("S");
  app.add_option("--block-size", raw.block_size,
                 "threads a block, " + problem.block_size_rule() + ", default " + shown(options.settings.block_size))
      ->type_name("B");
  for (const OwnOption& option : problem.own_options()) {
    app.add_option("--" + option.name, raw.own[option.name], option.help + "; default " + option.default_value)
        ->type_name(option.type);
  }
  app.add_option("--repeat", raw.repeat, "timed calls, of which the median is shown; default 5 on a GPU, 1 simulated")
      ->type_name("N");
  app.add_flag("--json", options.json, "one JSON object instead of text");
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
  if (const std::string mistake = interpret(problem, raw, options); !mistake.empty()) return UsageError{mistake};
  return options;
}

std::optional<std::string> too_large(const Problem& problem, const Settings& settings, const Device& device,
                                     std::size_t host_bytes) {
  // An element is 8 bytes at most, and the host holds at most three copies.
  constexpr std::size_t kCountable = std::numeric_limits<std::size_t>::max() / 32;
  Settings counted = settings;
  counted.size = std::min(settings.size, kCountable);
  const bool countable = settings.size <= kCountable;
  const std::size_t bytes = problem.input_bytes(counted);
  const auto bytes_text = [&](std::size_t copies) {
    return (countable ? "" : "more than ") + std::to_string(bytes * copies);
  };
  const std::string option = "--size " + std::to_string(settings.size);
  if (bytes > 0 && (!countable || bytes > device.free_bytes)) {
    return option + " asks for " + bytes_text(1) + " bytes of device memory for the input alone, and " + device.name +
           " has " + std::to_string(device.free_bytes) + " bytes free of " + std::to_string(device.total_bytes);
  }
  // The input, and the copy that the student's function gets; a simulated device takes its memory from the host too.
  const std::size_t copies = device.is_simulated ? 3 : 2;
  if (bytes * copies > host_bytes) {
    return option + " asks for " + bytes_text(copies) +
           " bytes of host memory for the input and its copies, and this " + "machine has " +
           std::to_string(host_bytes);
  }
  return std::nullopt;
}

ExitStatus run_program(const Stage& stage, const Problem& problem, int argc, const char* const* argv, std::ostream& out,
                       std::ostream& err) {
  const ParsedOptions parsed = parse_options(stage, problem, argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    out << help->text;
    return ExitStatus::matches;
  }
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    err << text_error(stage, ExitStatus::wrong_usage, error->message);
    return ExitStatus::wrong_usage;
  }
  const Options& options = std::get<Options>(parsed);
  const auto outcome = run_options(options, problem);
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    if (options.json) out << json_error(stage, failure->status, failure->message);
    err << text_error(stage, failure->status, failure->message);
    return failure->status;
  }
  const RunResult& result = std::get<RunResult>(outcome);
  out << (options.json ? json_report(stage, problem.name(), result) : text_report(stage, problem.name(), result));
  return result.verdict.matches ? ExitStatus::matches : ExitStatus::does_not_match;
}

}  // namespace workbook
