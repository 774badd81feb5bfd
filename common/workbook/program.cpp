// SPDX-License-Identifier: MIT
// The command line (CLI11) and the one place that turns exceptions into exit statuses and prints.
#include "workbook/program.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
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
  std::optional<std::string> size, seed, block_size, distribution, repeat;
};

std::string interpret(const RawOptions& raw, Options& options) {
  std::string problem;
  if (raw.size) problem = parse_number("--size", *raw.size, std::size_t{0}, options.size);
  if (problem.empty() && raw.seed) problem = parse_number("--seed", *raw.seed, std::uint32_t{0}, options.seed);
  if (problem.empty() && raw.repeat) problem = parse_number("--repeat", *raw.repeat, 1, options.repeat);
  if (problem.empty() && raw.block_size) {
    problem = parse_number("--block-size", *raw.block_size, 0u, options.block_size);
    if (problem.empty() && !ReductionProblem::accepts_block_size(options.block_size)) {
      problem = "--block-size " + *raw.block_size + " is not a power of two from 32 to 1024";
    }
  }
  if (problem.empty() && raw.distribution) {
    if (const auto distribution = distribution_named(*raw.distribution)) {
      options.distribution = *distribution;
    } else {
      problem = "--distribution " + *raw.distribution + " is unknown; there are " + distribution_names();
    }
  }
  return problem;
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

std::variant<RunResult, Failure> run_options(const Options& options, ReduceFunction reduce) {
  try {
    const Device device = current_device();
    if (const auto problem = too_large(options.size, device, host_memory_bytes())) {
      return Failure{ExitStatus::wrong_usage, *problem};
    }
    const ReductionCase reduction_case = make_case(options.distribution, options.size, options.seed);
    return run_case(reduction_case, reduce, options.block_size, device, options.repeat);
  } catch (const Unsolved& unsolved) {
    return Failure{ExitStatus::unsolved, unsolved.what()};
  } catch (const std::bad_alloc&) {
    return Failure{ExitStatus::wrong_usage, "--size " + std::to_string(options.size) +
                                                ": this machine has no memory left for the input and its copy"};
  } catch (const std::exception& error) {
    return Failure{ExitStatus::device_error, error.what()};
  } catch (...) {
    return Failure{ExitStatus::device_error, "reduce() threw something that is no std::exception"};
  }
}

}  // namespace

ParsedOptions parse_options(const Stage& stage, int argc, const char* const* argv) {
  CLI::App app("Stage " + std::to_string(stage.number) + ": " + stage.title + " (" + stage.source +
               "). Sums an input on the device and compares with the CPU. Exit status: 0 matches, 1 does not match, "
               "2 wrong usage, 3 CUDA or simulator error, 77 not solved yet.");
  RawOptions raw;
  Options options;
  const auto shown = [](auto number) { return std::to_string(number); };
  app.allow_extras();  // to name the first of them in words of our own
  app.add_option("--size", raw.size, "how many floats, default " + shown(options.size))->type_name("N");
  app.add_option("--seed", raw.seed, "of the input, default " + shown(options.seed))->type_name("S");
  app.add_option("--block-size", raw.block_size,
                 "threads a block, a power of two from 32 to 1024, default " + shown(options.block_size))
      ->type_name("B");
  app.add_option("--distribution", raw.distribution, distribution_names() + "; default uniform")->type_name("NAME");
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
  if (const std::string problem = interpret(raw, options); !problem.empty()) return UsageError{problem};
  return options;
}

std::optional<std::string> too_large(std::size_t size, const Device& device, std::size_t host_bytes) {
  constexpr std::size_t kCountable = std::numeric_limits<std::size_t>::max() / 16;
  const bool countable = size <= kCountable;
  const auto bytes_text = [&](std::size_t copies) {
    return (countable ? "" : "more than ") + std::to_string((countable ? size : kCountable) * sizeof(float) * copies);
  };
  const std::string option = "--size " + std::to_string(size);
  if (!countable || size * sizeof(float) > device.free_bytes) {
    return option + " asks for " + bytes_text(1) + " bytes of device memory for the input alone, and " + device.name +
           " has " + std::to_string(device.free_bytes) + " bytes free of " + std::to_string(device.total_bytes);
  }
  // The input, and the copy that the student's function gets; a simulated device takes its memory from the host too.
  const std::size_t copies = device.is_simulated ? 3 : 2;
  if (size * sizeof(float) * copies > host_bytes) {
    return option + " asks for " + bytes_text(copies) +
           " bytes of host memory for the input and its copies, and this " + "machine has " +
           std::to_string(host_bytes);
  }
  return std::nullopt;
}

ExitStatus run_program(const Stage& stage, ReduceFunction reduce, int argc, const char* const* argv, std::ostream& out,
                       std::ostream& err) {
  const ParsedOptions parsed = parse_options(stage, argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    out << help->text;
    return ExitStatus::matches;
  }
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    err << text_error(stage, ExitStatus::wrong_usage, error->message);
    return ExitStatus::wrong_usage;
  }
  const Options& options = std::get<Options>(parsed);
  const auto outcome = run_options(options, reduce);
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    if (options.json) out << json_error(stage, failure->status, failure->message);
    err << text_error(stage, failure->status, failure->message);
    return failure->status;
  }
  const RunResult& result = std::get<RunResult>(outcome);
  out << (options.json ? json_report(stage, result) : text_report(stage, result));
  return result.verdict.matches ? ExitStatus::matches : ExitStatus::does_not_match;
}

}  // namespace workbook
