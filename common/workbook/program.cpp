// SPDX-License-Identifier: MIT
// The one place that turns exceptions into exit statuses and prints.
#include "workbook/program.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <ostream>
#include <utility>
#include <vector>

#include "workbook/cuda_check.h"
#include "workbook/todo.h"

namespace workbook {
namespace {

std::size_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_bytes <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

std::variant<RunResult, Failure> run_options(const Options& options, const Problem& problem) {
  const Settings& settings = options.settings;
  try {
    const Device device = current_device();
    if (const auto why = too_large(problem, settings, device, host_memory_bytes())) {
      return Failure{ExitStatus::wrong_usage, *why};
    }
    RunResult result = run_case(*problem.make_case(settings), settings, device, options.repeat);
    result.other_tasks = options.other_tasks;
    return result;
  } catch (...) {
    return current_failure("--size " + std::to_string(settings.size));
  }
}

/// Whether a call returns this for a kernel that ran before it. The line of the call then says nothing of the mistake.
bool is_of_a_kernel(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

}  // namespace

Failure current_failure(const std::string& asked) {
  try {
    throw;
  } catch (const Unsolved& unsolved) {
    return {ExitStatus::unsolved, unsolved.what()};
  } catch (const std::bad_alloc&) {
    return {ExitStatus::wrong_usage, asked + ": this machine has no memory left for the input and its copy"};
  } catch (const CudaError& error) {
    const char* hint =
        is_of_a_kernel(error.code())
            ? "; a kernel before it failed, and the call only passes that on: a finding of the simulator says where"
            : "";
    return {ExitStatus::device_error, error.what() + std::string(hint)};
  } catch (const std::exception& error) {
    return {ExitStatus::device_error, error.what()};
  } catch (...) {
    return {ExitStatus::device_error, "the stage's function threw something that is no std::exception"};
  }
}

ExitStatus report_failure(const Stage& stage, const Failure& failure, bool json, std::ostream& out, std::ostream& err) {
  if (json) out << json_error(stage, failure.status, failure.message);
  err << text_error(stage, failure.status, failure.message);
  return failure.status;
}

std::string program_description(const Stage& stage, const std::string& what_it_does) {
  return "Stage " + std::to_string(stage.number) + ": " + stage.title + " (" + stage.source + "). " + what_it_does +
         " Exit status: 0 matches, 1 does not match, 2 wrong usage, 3 CUDA or simulator error, 77 not solved yet.";
}

ParsedOptions parse_options(const Stage& stage, const Problem& problem, int argc, const char* const* argv) {
  Options options;
  Settings& settings = options.settings;
  settings = default_settings(stage, problem);
  std::vector<OptionRow> rows{
      {"size", "N", problem.size_help() + ", default " + std::to_string(options.settings.size)}};
  for (OptionRow& row : settings_rows(problem, settings)) rows.push_back(std::move(row));
  rows.push_back({"repeat", "N", "timed calls, of which the median is shown; default 5 on a GPU, 1 simulated"});
  rows.push_back({"json", "", "one JSON object instead of text"});

  auto parsed = parse_command_line(program_description(stage, problem.help()), rows, argc, argv);
  if (auto* help = std::get_if<HelpText>(&parsed)) return *help;
  if (auto* error = std::get_if<UsageError>(&parsed)) return *error;
  const TypedOptions& typed = std::get<TypedOptions>(parsed);
  options.json = typed.count("json") > 0;
  std::string mistake = parse_given(typed, "size", std::size_t{0}, settings.size);
  if (mistake.empty()) mistake = parse_given(typed, "repeat", 1, options.repeat);
  if (mistake.empty()) mistake = interpret_settings(problem, typed, settings);
  if (!mistake.empty()) return UsageError{mistake};
  const bool is_chosen = std::any_of(settings.own.begin(), settings.own.end(),
                                     [&typed](const auto& own) { return typed.count(own.first) > 0; });
  if (!is_chosen) options.other_tasks = problem.other_tasks(settings);
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
           " bytes of host memory for the input and its copies, and this machine has " + std::to_string(host_bytes);
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
    return report_failure(stage, *failure, options.json, out, err);
  }
  const RunResult& result = std::get<RunResult>(outcome);
  out << (options.json ? json_report(stage, problem.name(), result) : text_report(stage, problem.name(), result));
  return result.verdict.matches ? ExitStatus::matches : ExitStatus::does_not_match;
}

}  // namespace workbook
