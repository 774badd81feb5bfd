// SPDX-License-Identifier: MIT
// The layout of the report. Its shape is that of the course notes: verdict, sizes and sums, timing.
#include "workbook/report.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "workbook/report_json.h"

namespace workbook {

std::string command_line(const Settings& settings) {
  std::string text = "--size " + std::to_string(settings.size) + " --seed " + std::to_string(settings.seed) +
                     " --block-size " + std::to_string(settings.block_size);
  for (const auto& [name, value] : settings.own) text.append(" --").append(name).append(" ").append(value);
  return text;
}

const char* name_of(ExitStatus status) {
  switch (status) {
    case ExitStatus::matches:
      return "matches";
    case ExitStatus::does_not_match:
      return "does-not-match";
    case ExitStatus::wrong_usage:
      return "wrong-usage";
    case ExitStatus::device_error:
      return "device-error";
    case ExitStatus::unsolved:
      return "unsolved";
  }
  return "unknown";
}

std::string text_report(const Stage& stage, const std::string& problem_name, const RunResult& result) {
  std::ostringstream text;
  text << "Stage " << stage.number << " " << problem_name << " "
       << (result.verdict.matches ? "matches reference ✅" : "does not match reference ❌") << "\n\n";
  const Settings& settings = result.settings;
  if (!result.verdict.matches) {
    text << "What is wrong: " << result.verdict.reason << "\nIn: " << stage.source << ", with "
         << command_line(settings) << "\n\n";
  }
  text << "Device: " << result.device.name << "\n";
  text << result.description << ", " << settings.block_size << " threads a block\n";
  for (const Value& value : result.values) {
    // The reference with three digits more than tell two results apart, but no more than a double has.
    text << "CPU " << value.name << " : " << std::setprecision(std::min(value.digits + 3, 17)) << value.reference
         << "\n";
    text << "GPU " << value.name << " : " << std::setprecision(value.digits) << value.got << "\n";
  }
  text << "Relative error: " << std::setprecision(3) << result.verdict.relative_error;
  if (result.verdict.bound == 0.0) {
    text << " (must match to the bit)\n\n";
  } else {
    text << " (error " << result.verdict.error << ", at most " << result.verdict.bound << " allowed)\n\n";
  }
  text << std::fixed << "Timing:\n  CPU time : " << result.cpu_time_ms << " ms\n";
  text << (result.device.is_simulated ? "  Simulation time (host clock, not a GPU time) : " : "  GPU time : ")
       << result.time_ms << " ms";
  if (result.timed_calls > 1) text << " (median of " << result.timed_calls << ")";
  text << "\n";
  return text.str();
}

std::string json_report(const Stage& stage, const std::string& problem_name, const RunResult& result) {
  Json json = stage_fields(stage);
  json["device"] = result.device.name;
  json["simulated"] = result.device.is_simulated;
  json["problem"] = problem_name;
  json["size"] = result.settings.size;
  json["seed"] = result.settings.seed;
  json["block_size"] = result.settings.block_size;
  for (const auto& [name, value] : result.settings.own) json[name] = value;
  for (const Value& value : result.values) {
    json["cpu_" + value.name] = number(value.reference);
    json["gpu_" + value.name] = number(value.got);
  }
  json["absolute_error"] = number(result.verdict.error);
  json["relative_error"] = number(result.verdict.relative_error);
  json["bound"] = number(result.verdict.bound);
  json["matches"] = result.verdict.matches;
  json["time_ms"] = number(result.time_ms);
  json["time_kind"] = result.device.is_simulated ? "simulation" : "gpu";
  json["timed_calls"] = result.timed_calls;
  json["cpu_time_ms"] = number(result.cpu_time_ms);
  for (const Settings& other : result.other_tasks) json["other_tasks"].push_back(command_line(other));
  if (!result.verdict.matches) {
    json["error_kind"] = name_of(ExitStatus::does_not_match);
    json["error"] = result.verdict.reason;
  }
  return json.dump() + "\n";
}

std::string text_error(const Stage& stage, ExitStatus status, const std::string& message) {
  if (status == ExitStatus::unsolved) {
    return "Stage " + std::to_string(stage.number) + " is not solved yet: " + message + "\n";
  }
  return "error: " + message + "\n";
}

std::string json_error(const Stage& stage, ExitStatus status, const std::string& message) {
  Json json = stage_fields(stage);
  json["matches"] = false;
  json["error_kind"] = name_of(status);
  json["error"] = message;
  return json.dump() + "\n";
}

}  // namespace workbook
