// SPDX-License-Identifier: MIT
// The one place that turns exceptions into exit statuses and prints.
#include "workbook/program/program.h"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <limits>
#include <mutex>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "workbook/program/explain.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

std::size_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_bytes <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

// Ends the program when it takes longer than it may: a loop on the host ends by nothing else. A thread of its own,
// since nobody else is sure to come back.
class TimeLimit {
 public:
  TimeLimit(double seconds, std::function<void(const std::string&)> say) {
    if (seconds <= 0.0) return;
    watch_ = std::thread([this, seconds, say = std::move(say)] {
      std::unique_lock lock(mutex_);
      if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; })) return;
      say(sentence(seconds));
      std::_Exit(static_cast<int>(ExitStatus::device_error));
    });
  }
  ~TimeLimit() {
    if (!watch_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    ended_.notify_one();
    watch_.join();
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static std::string sentence(double seconds) {
    std::ostringstream text;
    text << "stopped after " << seconds
         << " seconds (--time-limit). Is there a loop that never ends, on the host or in a kernel? ";
    const LastCall last = last_call();
    if (last.call == nullptr) {
      text << "No CUDA call had come back";
    } else {
      text << "The last CUDA call that came back: " << place_of(last);
    }
    return text.str();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread watch_;
};

// A run of one case, or of many.
using Ran = std::variant<RunResult, CasesResult, Failure>;

Ran run_options(const Options& options, const Stage& stage, const Problem& problem) {
  const Settings& settings = options.settings;
  Settings current;  // of the case that runs; no sizes: none has begun
  try {
    const Device device = current_device();
    if (options.purposes.empty()) {
      if (const auto why = too_large(problem, settings, device, host_memory_bytes())) {
        return Failure{ExitStatus::wrong_usage, *why, ""};
      }
      RunResult result = run_case(problem, *problem.make_case(settings), settings, device, options.how);
      if (result.verdict.matches || !options.explain) return result;
      return CasesResult{device, 1, explain(problem, result, block_rule(stage, problem), options.how.poison, current)};
    }
    std::vector<Settings> cases;
    for (const Purpose purpose : options.purposes) {
      const auto more = problem.cases(purpose, settings, block_rule(stage, problem).shapes, device.is_simulated);
      // No cases would all match.
      if (more.empty()) throw std::logic_error(problem.name() + " has no cases that are " + name_of(purpose));
      cases.insert(cases.end(), more.begin(), more.end());
    }
    return run_cases(problem, cases, device, {1, options.how.poison, !stage.has_default_stream}, current);
  } catch (const Unsolved&) {
    return current_failure("");
  } catch (...) {
    const bool is_one_of_many = !current.sizes.empty();
    Failure failure = current_failure("--size " + text_of(is_one_of_many ? current.sizes : settings.sizes));
    if (is_one_of_many) failure.options = command_line(problem, current);
    return failure;
  }
}

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
  for (const char* const name : {"size", "block-size", "repeat"}) {
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

ExitStatus report(const std::string& text, const std::string& json_text, const JsonTarget& json, ExitStatus status,
                  std::ostream& out, std::ostream& err) {
  if (json.wanted && json.file.empty()) {
    out << json_text;
    return status;
  }
  out << text;
  if (!json.wanted) return status;
  const std::string unfinished = json.file + ".unfinished";
  std::ofstream file(unfinished);
  file << json_text;
  file.close();
  if (file.fail() || std::rename(unfinished.c_str(), json.file.c_str()) != 0) {
    err << "error: cannot write " << json.file << ": " << std::strerror(errno) << "\n";
    std::remove(unfinished.c_str());
    return ExitStatus::wrong_usage;
  }
  return status;
}

ExitStatus report_failure(const Stage& stage, const Failure& failure, const JsonTarget& json, std::ostream& out,
                          std::ostream& err) {
  std::string text = text_error(stage, failure.status, failure.message);
  if (!failure.options.empty()) text += "In: " + std::string(stage.source) + ", with " + failure.options + "\n";
  err << text;
  return report("", json_error(stage, failure.status, failure.message, failure.options), json, failure.status, out,
                err);
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
  rows.push_back({"explain", "", "where the result does not match: look for a small case that does not, and for why"});
  rows.push_back({"poison", "BYTE", "what a result holds before the call: 0xFF (the default), 0xA5, ..."});
  rows.push_back({"time-limit", "SECONDS", "end with an error when it takes longer"});
  rows.push_back({"describe", "", "say as JSON what the problem is, and run nothing"});
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
  if (mistake.empty()) mistake = interpret_settings(stage, problem, typed, settings);
  if (mistake.empty()) mistake = parse_purposes(typed, options.purposes);
  if (mistake.empty()) mistake = parse_poison(typed, options.how.poison);
  if (mistake.empty()) mistake = parse_time_limit(typed, options.time_limit_s);
  if (!mistake.empty()) return UsageError{mistake};
  return options;
}

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
  // The input and what is compared with; a simulated device takes its memory from the host too.
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
  const Ran ran = [&] {  // the limit ends with the run: only one of them reports
    const TimeLimit limit(options.time_limit_s, [&](const std::string& sentence) {
      report_failure(stage, {ExitStatus::device_error, sentence, ""}, options.json, out, err);
      out.flush();
      err.flush();
    });
    return run_options(options, stage, problem);
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
