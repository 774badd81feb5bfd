// SPDX-License-Identifier: MIT
// The layout of the report. Its shape is that of the course notes: verdict, sizes and sums, timing.
#include "workbook/report.h"

#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

namespace workbook {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no word for NaN and the infinities.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json stage_fields(const Stage& stage) {
  return Json{{"stage", stage.number}, {"title", stage.title}, {"source", stage.source}};
}

}  // namespace

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

std::string text_report(const Stage& stage, const RunResult& result) {
  std::ostringstream text;
  text << "Stage " << stage.number << " reduction "
       << (result.verdict.matches ? "matches reference ✅" : "does not match reference ❌") << "\n\n";
  if (!result.verdict.matches) {
    text << "What is wrong: " << result.verdict.reason << "\nIn: " << stage.source << ", with --size " << result.size
         << " --seed " << result.seed << " --block-size " << result.block_size << " --distribution "
         << name_of(result.distribution) << "\n\n";
  }
  text << "Device: " << result.device.name << "\n";
  text << "Input size: " << result.size << " elements (" << name_of(result.distribution) << ", seed " << result.seed
       << "), " << result.block_size << " threads a block\n";
  // 9 digits tell any two floats apart, 17 any two doubles; the sum's own rounding begins at about the 8th.
  text << "CPU sum : " << std::setprecision(12) << result.reference.sum << "\n";
  text << "GPU sum : " << std::setprecision(9) << result.gpu_sum << "\n";
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

std::string json_report(const Stage& stage, const RunResult& result) {
  Json json = stage_fields(stage);
  json["device"] = result.device.name;
  json["simulated"] = result.device.is_simulated;
  json["size"] = result.size;
  json["seed"] = result.seed;
  json["block_size"] = result.block_size;
  json["distribution"] = name_of(result.distribution);
  json["cpu_sum"] = number(result.reference.sum);
  json["gpu_sum"] = number(static_cast<double>(result.gpu_sum));
  json["absolute_error"] = number(result.verdict.error);
  json["relative_error"] = number(result.verdict.relative_error);
  json["bound"] = number(result.verdict.bound);
  json["matches"] = result.verdict.matches;
  json["time_ms"] = number(result.time_ms);
  json["time_kind"] = result.device.is_simulated ? "simulation" : "gpu";
  json["timed_calls"] = result.timed_calls;
  json["cpu_time_ms"] = number(result.cpu_time_ms);
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
