// SPDX-License-Identifier: MIT
// The order of a program: parse, run, report. Only this file turns exceptions into exit statuses.
#include "workbook/program/program.h"

#include <unistd.h>

#include <iomanip>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <variant>
#include <vector>

#include "workbook/program/explain.h"
#include "workbook/program/time_limit.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

std::size_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_bytes <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

// The result of one case, of many cases, or a failure.
using Ran = std::variant<RunResult, CasesResult, Failure>;

Ran run_options(const Options& options, const Stage& stage, const Problem& problem, CasesProgress& progress) {
  const Settings& settings = options.settings;
  Settings current;  // The running case; without sizes, no case has begun.
  try {
    const Device device = current_device();
    if (options.purposes.empty()) {
      if (const auto why = too_large(problem, settings, device, host_memory_bytes())) {
        return Failure{ExitStatus::wrong_usage, *why, ""};
      }
      if (settings.changed) {
        Settings before = settings;
        before.changed.reset();
        RunResult first = run_case(problem, *problem.make_case(before), before, device, options.how);
        if (!first.verdict.matches) return first;
      }
      RunResult result = run_case(problem, *problem.make_case(settings), settings, device, options.how);
      if (result.verdict.matches || !options.explain) return result;
      return CasesResult{device, 1, explain(problem, result, block_rule(stage, problem), options.how.poison, current)};
    }
    std::vector<Settings> cases;
    for (const Purpose purpose : options.purposes) {
      const auto more = problem.cases(purpose, settings, block_rule(stage, problem).shapes, device.is_simulated);
      // An empty list of cases would always match.
      if (more.empty()) throw std::logic_error(problem.name() + " has no cases that are " + name_of(purpose));
      cases.insert(cases.end(), more.begin(), more.end());
    }
    return run_cases(problem, cases, device, {1, options.how.poison, !stage.has_default_stream}, current, &progress);
  } catch (const Unsolved&) {
    return current_failure("");
  } catch (...) {
    const bool is_one_of_many = !current.sizes.empty();
    Failure failure = current_failure("--size " + text_of(is_one_of_many ? current.sizes : settings.sizes));
    if (is_one_of_many) failure.options = command_line(problem, current);
    return failure;
  }
}

}  // namespace

std::optional<std::string> too_large(const Problem& problem, const Settings& settings, const Device& device,
                                     std::size_t host_bytes) {
  const double bytes = problem.device_bytes(settings);
  const auto text = [](double value) {
    std::ostringstream shown;
    shown << std::fixed << std::setprecision(0) << value;
    return shown.str();
  };
  const std::string option = "--size " + text_of(settings.sizes);
  if (bytes > static_cast<double>(device.free_bytes)) {
    return option + " asks for about " + text(bytes) + " bytes of device memory, and " + device.name + " has " +
           std::to_string(device.free_bytes) + " bytes free of " + std::to_string(device.total_bytes);
  }
  // Copies: the input and the reference. A simulated device takes its memory from the host too.
  const double copies = device.is_simulated ? 3.0 : 2.0;
  if (bytes * copies > static_cast<double>(host_bytes)) {
    return option + " asks for about " + text(bytes * copies) +
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
  if (options.describe) {
    const std::string description = json_description(stage, problem);
    return report(description, description, options.json, ExitStatus::matches, out, err);
  }
  const Ran ran = [&] {  // the limit ends with the run, so that only one of them reports
    CasesProgress progress;
    const TimeLimit limit(options.time_limit_s, progress, [&](const std::string& sentence) {
      report_failure(stage, {ExitStatus::device_error, sentence, ""}, options.json, out, err);
      out.flush();
      err.flush();
    });
    return run_options(options, stage, problem, progress);
  }();
  if (const auto* failure = std::get_if<Failure>(&ran)) return report_failure(stage, *failure, options.json, out, err);
  if (const auto* cases = std::get_if<CasesResult>(&ran)) {
    return report(text_cases_report(stage, problem, *cases), json_cases_report(stage, problem, *cases), options.json,
                  cases->failed ? ExitStatus::does_not_match : ExitStatus::matches, out, err);
  }
  const RunResult& result = std::get<RunResult>(ran);
  return report(text_report(stage, problem, result), json_report(stage, problem, result), options.json,
                result.verdict.matches ? ExitStatus::matches : ExitStatus::does_not_match, out, err);
}

}  // namespace workbook
