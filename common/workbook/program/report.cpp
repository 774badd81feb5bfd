// SPDX-License-Identifier: MIT
// The layout of the report: verdict, sizes and sums, timing, in the order of the course notes.
#include "workbook/program/report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "workbook/program/report_json.h"

namespace workbook {

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

std::string text_report(const Stage& stage, const Problem& problem, const RunResult& result) {
  std::ostringstream text;
  const Verdict& verdict = result.verdict;
  text << "Stage " << stage.number << " " << problem.name() << " "
       << (verdict.matches ? "matches reference ✅" : "does not match reference ❌") << "\n\n";
  const Settings& settings = result.settings;
  if (!verdict.matches) {
    text << "What is wrong: " << verdict.reason << "\n";
    if (!result.diagnosis.empty()) text << result.diagnosis << "\n";
    text << "In: " << stage.source << ", with " << command_line(problem, settings) << "\n\n";
  }
  text << "Device: " << result.device.name << "\n";
  text << result.description << ", " << text_of(settings.block) << " threads a block\n";
  for (const Value& value : result.values) {
    // The reference has three more digits than tell two results apart, but at most the digits of a double.
    text << "CPU " << value.name << " : " << std::setprecision(std::min(value.digits + 3, 17)) << value.reference
         << "\n";
    text << "GPU " << value.name << " : " << std::setprecision(value.digits) << value.got << "\n";
  }
  if (std::isnan(verdict.bound)) {  // no comparison took place
    text << "\n";
  } else if (result.values.empty()) {
    text << verdict.elements - verdict.wrong << " of " << verdict.elements << " elements match\n\n";
  } else if (verdict.matches || verdict.error > 0.0) {  // otherwise the result is right, or a value is not a number
    text << "Relative error: " << std::setprecision(3) << verdict.relative_error;
    if (verdict.bound == 0.0) {
      text << " (must match to the bit)\n\n";
    } else {
      text << " (error " << verdict.error << ", at most " << verdict.bound << " allowed)\n\n";
    }
  }
  text << std::fixed << std::setprecision(3) << "Timing:\n  CPU time : " << result.cpu_time_ms << " ms\n";
  text << (result.device.is_simulated ? "  Simulation time (host clock, not a GPU time) : " : "  GPU time : ")
       << result.time_ms << " ms";
  if (result.timed_calls > 1) text << " (median of " << result.timed_calls << ")";
  if (result.timed_calls == 0) text << " (of the first call, in which the driver also loads the kernels)";
  text << "\n";
  return text.str();
}

namespace {

/// The version of common/workbook/verdict.schema.json. It rises when a field goes or changes its meaning.
constexpr int kVerdictFormat = 2;

Json verdict_fields(const Stage& stage) {
  Json json{{"schema", "verdict.schema.json"}, {"format", kVerdictFormat}};
  json.update(stage_fields(stage));
  return json;
}

Json fields_of(const Stage& stage, const Problem& problem, const RunResult& result) {
  Json json = verdict_fields(stage);
  json["device"] = result.device.name;
  json["simulated"] = result.device.is_simulated;
  json["problem"] = problem.name();
  json["size"] = size_field(result.settings.sizes);
  add_settings(json, problem, result.settings);
  json["work"] = work_fields(result.work);
  for (const ArrayPlace& place : result.places) {
    json["arrays"].push_back({{"name", place.name},
                              {"address", reinterpret_cast<std::uintptr_t>(place.address)},
                              {"bytes", place.bytes},
                              {"needed", place.needed},
                              {"is_output", place.is_output}});
  }
  for (const Value& value : result.values) {
    json["cpu_" + value.name] = number(value.reference);
    json["gpu_" + value.name] = number(value.got);
  }
  const Verdict& verdict = result.verdict;
  json["absolute_error"] = number(verdict.error);
  json["relative_error"] = verdict.matches || verdict.error != 0.0 ? number(verdict.relative_error) : Json(nullptr);
  json["bound"] = number(verdict.bound);
  json["elements"] = verdict.elements;
  json["matches"] = verdict.matches;
  json["time_ms"] = result.timed_calls > 0 ? number(result.time_ms) : Json(nullptr);
  json["time_kind"] = result.device.is_simulated ? "simulation" : "gpu";
  json["timed_calls"] = result.timed_calls;
  json["cpu_time_ms"] = number(result.cpu_time_ms);
  if (!verdict.matches) {
    json["error_kind"] = name_of(ExitStatus::does_not_match);
    json["error"] = verdict.reason;
    if (!result.diagnosis.empty()) json["diagnosis"] = result.diagnosis;
    if (verdict.wrong > 0) {
      json["wrong"] = verdict.wrong;
      json["first"] = {
          {"index", verdict.first_index}, {"expected", verdict.first_expected}, {"got", verdict.first_got}};
      json["pattern"] = verdict.pattern;
    }
  }
  return json;
}

}  // namespace

std::string json_report(const Stage& stage, const Problem& problem, const RunResult& result) {
  return fields_of(stage, problem, result).dump() + "\n";
}

std::string text_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result) {
  if (result.failed) return text_report(stage, problem, *result.failed);
  return "Stage " + std::to_string(stage.number) + " " + problem.name() + " matches reference ✅ in " +
         std::to_string(result.count) + " cases\n";
}

std::string json_cases_report(const Stage& stage, const Problem& problem, const CasesResult& result) {
  Json json;
  if (result.failed) {
    json = fields_of(stage, problem, *result.failed);
    json["failed"] = {{"options", command_line(problem, result.failed->settings)}};
  } else {
    json = verdict_fields(stage);
    json["device"] = result.device.name;
    json["simulated"] = result.device.is_simulated;
    json["problem"] = problem.name();
    json["matches"] = true;
  }
  json["cases"] = result.count;
  return json.dump() + "\n";
}

std::string json_description(const Stage& stage, const Problem& problem) {
  const Settings standard = default_settings(stage, problem);
  const BlockRule rule = block_rule(stage, problem);
  Json json = stage_fields(stage);
  json["problem"] = problem.name();
  json["summary"] = problem.help();
  json["unit"] = problem.work(standard).unit;
  for (const Extent& extent : problem.extents()) {
    json["sizes"].push_back(
        {{"name", extent.name}, {"help", extent.help}, {"standard", extent.standard}, {"largest", extent.largest}});
  }
  json["block_sizes"] = {{"rule", rule.words}, {"standard", text_of(rule.standard)}};
  for (const dim3& shape : rule.shapes) json["block_sizes"]["accepted"].push_back(text_of(shape));
  if (problem.has_seed()) json["seed"] = standard.seed;
  json["options"] = Json::array();
  for (const Option& option : problem.options()) {
    Json row{{"name", option.name}, {"help", option.help}, {"standard", text_of(option, option.standard)}};
    if (option.words.empty()) {
      row["smallest"] = option.smallest;
      row["largest"] = option.largest;
    } else {
      row["values"] = option.words;
    }
    json["options"].push_back(row);
  }
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
    json["cases"][name_of(purpose)] = problem.cases(purpose, standard, rule.shapes, true).size();
  }
  const auto sizes = [&](Purpose purpose, bool simulated) {
    Json list = Json::array();
    for (const Settings& settings : problem.cases(purpose, standard, rule.shapes, simulated)) {
      const std::string text = text_of(settings.sizes);
      if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);  // once for all its rows
    }
    return list;
  };
  json["lesson"] = {{"size", sizes(Purpose::lesson, true).at(0)}};
  json["bench"] = {{"sizes", sizes(Purpose::bench, false)}, {"simulated_sizes", sizes(Purpose::bench, true)}};
  json["needs"] = stage.compute_capability;
  return json.dump() + "\n";
}

std::string text_error(const Stage& stage, ExitStatus status, const std::string& message) {
  if (status == ExitStatus::unsolved) {
    return "Stage " + std::to_string(stage.number) + " is not solved yet: " + message + "\n";
  }
  return "error: " + message + "\n";
}

std::string json_error(const Stage& stage, ExitStatus status, const std::string& message, const std::string& options) {
  Json json = verdict_fields(stage);
  json["matches"] = false;
  json["error_kind"] = name_of(status);
  json["error"] = message;
  if (!options.empty()) json["failed"] = {{"options", options}};
  return json.dump() + "\n";
}

}  // namespace workbook
