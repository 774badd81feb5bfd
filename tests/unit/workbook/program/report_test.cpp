// SPDX-License-Identifier: MIT
// The report's text is quoted by lessons, its JSON is read by programs: both are fixed here, to the letter.
#include "workbook/program/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "../fake_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

using nlohmann::json;

constexpr Stage kStage{3, "shared memory, interleaved", "answers/stage03/solution.cu"};
const StatisticsProblem kSum{Reduce{}};
const FakeProblem kFake{[](const Settings&, const Call&, GpuTimer&) { return right(); }};

RunResult run_of(const Problem& problem, bool simulated) {
  RunResult result;
  result.device = {simulated ? "Simulated GPU (cudasim)" : "NVIDIA H200", simulated, 1000, 2000};
  result.settings = default_settings(kStage, problem);
  result.description = "Input size: 16777216 floats (uniform, seed 12345)";
  result.work = problem.work(result.settings);
  result.cpu_time_ms = 61.25;
  result.time_ms = 0.5;
  result.timed_calls = simulated ? 1 : 5;
  return result;
}

// For a sum that should be 2^22 + 0.5; `bound` 0: to the bit.
RunResult sum_of(double got, double bound, bool simulated) {
  constexpr double kSumOfAll = 0x1p22 + 0.5;
  RunResult result = run_of(kSum, simulated);
  result.values = {{"sum", kSumOfAll, got, 9}};
  result.verdict = check_statistic(got, {Operation::sum, 16'777'216, kSumOfAll, bound, bound});
  return result;
}

RunResult array_of(const Verdict& verdict) {
  RunResult result = run_of(kFake, true);
  result.verdict = verdict;
  return result;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TextReport, OfAGpuRun) {
  EXPECT_EQ(text_report(kStage, kSum, sum_of(0x1p22, 44.0, false)),
            "Stage 3 reduction matches reference ✅\n"
            "\n"
            "Device: NVIDIA H200\n"
            "Input size: 16777216 floats (uniform, seed 12345), 256 threads a block\n"
            "CPU sum : 4194304.5\n"
            "GPU sum : 4194304\n"
            "Relative error: 1.19e-07 (error 0.5, at most 44 allowed)\n"
            "\n"
            "Timing:\n"
            "  CPU time : 61.250 ms\n"
            "  GPU time : 0.500 ms (median of 5)\n");
}

TEST(TextReport, AFirstCallIsNotWhatAGpuTakes) {
  RunResult first = sum_of(3.0, 44.0, false);
  first.timed_calls = 0;
  const std::string text = text_report(kStage, kSum, first);
  EXPECT_TRUE(has(text, "  GPU time : 0.500 ms (of the first call, in which the driver also loads the kernels)\n"))
      << text;
  EXPECT_TRUE(json::parse(json_report(kStage, kSum, first))["time_ms"].is_null());
}

TEST(TextReport, ASimulatedTimeIsNeverCalledGpuTime) {
  const std::string text = text_report(kStage, kSum, sum_of(0x1p22, 44.0, true));
  EXPECT_TRUE(has(text, "  Simulation time (host clock, not a GPU time) : 0.500 ms\n")) << text;
  EXPECT_FALSE(has(text, "GPU time :"));
  EXPECT_TRUE(has(text, "Device: Simulated GPU (cudasim)\n"));
}

TEST(TextReport, AFailureSaysWhatAndHowToRepeatIt) {
  const std::string text = text_report(kStage, kSum, sum_of(std::numeric_limits<double>::quiet_NaN(), 44.0, true));
  EXPECT_EQ(text.rfind("Stage 3 reduction does not match reference ❌\n\nWhat is wrong: the sum is NaN", 0), 0u) << text;
  EXPECT_TRUE(has(text,
                  "In: answers/stage03/solution.cu, with --size 16777216 --seed 12345 --block-size 256 "
                  "--distribution uniform\n"));
}

TEST(TextReport, ExactDataMustMatchToTheBit) {
  EXPECT_TRUE(
      has(text_report(kStage, kSum, sum_of(0x1p22 + 0.5, 0.0, true)), "Relative error: 0 (must match to the bit)\n"));
}

TEST(TextReport, OfAnArrayCountsElements) {
  Verdict verdict;
  verdict.matches = true;
  verdict.elements = 600;
  EXPECT_TRUE(has(text_report(kStage, kFake, array_of(verdict)), "\n600 of 600 elements match\n\nTiming:"));
  verdict.matches = false;
  verdict.wrong = 7;
  verdict.reason = "7 of 600 elements are wrong";
  EXPECT_TRUE(has(text_report(kStage, kFake, array_of(verdict)), "\n593 of 600 elements match\n\nTiming:"));
}

// A stage that misuses the timer has no result that was judged.
TEST(TextReport, WhatWasNeverJudgedHasNoError) {
  RunResult number = sum_of(0x1p22 + 0.5, 0.0, true), array = run_of(kSum, true);
  for (RunResult* result : {&number, &array}) {
    result->verdict.matches = false;
    result->verdict.reason = "no kernel was timed";
    result->verdict.bound = std::numeric_limits<double>::quiet_NaN();
    const std::string text = text_report(kStage, kSum, *result);
    EXPECT_TRUE(has(text, "What is wrong: no kernel was timed\n"));
    EXPECT_FALSE(has(text, "Relative error")) << text;
    EXPECT_FALSE(has(text, "elements match")) << text;
    EXPECT_TRUE(has(text, "\n\nTiming:")) << text;
    EXPECT_TRUE(json::parse(json_report(kStage, kSum, *result))["bound"].is_null());
  }
}

TEST(JsonReport, HoldsEveryField) {
  EXPECT_EQ(json::parse(json_report(kStage, kSum, sum_of(0x1p22, 44.0, false))), json::parse(R"({
      "schema": "verdict.schema.json", "format": 2,
      "stage": 3, "title": "shared memory, interleaved", "source": "answers/stage03/solution.cu",
      "device": "NVIDIA H200", "simulated": false, "problem": "reduction", "size": 16777216, "seed": 12345,
      "block_size": 256, "distribution": "uniform",
      "work": {"unit": "floats", "elements": 16777216.0, "bytes_read": 67108864.0, "bytes_written": 0.0,
               "operations": 16777216.0},
      "cpu_sum": 4194304.5, "gpu_sum": 4194304.0, "absolute_error": 0.5, "relative_error": 1.1920927533992823e-07,
      "bound": 44.0, "elements": 1, "matches": true, "time_ms": 0.5, "time_kind": "gpu", "timed_calls": 5,
      "cpu_time_ms": 61.25})"));
  EXPECT_EQ(json::parse(json_report(kStage, kSum, sum_of(0x1p22, 44.0, true)))["time_kind"], "simulation");
}

TEST(JsonReport, OfAFailureIsStillJson) {
  const json report =
      json::parse(json_report(kStage, kSum, sum_of(std::numeric_limits<double>::quiet_NaN(), 44.0, true)));
  EXPECT_EQ(report["matches"], false);
  EXPECT_TRUE(report["gpu_sum"].is_null());
  EXPECT_TRUE(report["relative_error"].is_null());
  EXPECT_EQ(report["error_kind"], "does-not-match");
  EXPECT_TRUE(has(report["error"], "NaN"));
  EXPECT_FALSE(report.contains("wrong"));
}

// Something else is wrong than the figures.
TEST(Report, OfAFailureHasNoErrorOfNothing) {
  RunResult result = sum_of(0x1p22 + 0.5, 0.0, true);
  result.verdict.matches = false;
  result.verdict.reason = "the ticket is 3";
  EXPECT_FALSE(has(text_report(kStage, kSum, result), "Relative error"));
  EXPECT_TRUE(json::parse(json_report(kStage, kSum, result))["relative_error"].is_null());
}

TEST(Report, HasTheLeadOfAFailure) {
  RunResult result = sum_of(0x1p21, 44.0, true);
  EXPECT_FALSE(json::parse(json_report(kStage, kSum, result)).contains("diagnosis"));
  result.diagnosis = "Every element is counted twice.\nWith --size 32: too.";
  EXPECT_EQ(json::parse(json_report(kStage, kSum, result))["diagnosis"], result.diagnosis);
  EXPECT_TRUE(has(text_report(kStage, kSum, result), "\nEvery element is counted twice.\nWith --size 32: too.\nIn: "));
}

TEST(JsonReport, OfAnArrayHasTheFirstWrongElementAndThePattern) {
  Verdict verdict;
  verdict.elements = 600;
  verdict.wrong = 7;
  verdict.first_index = "row 3, column 7";
  verdict.first_expected = "1";
  verdict.first_got = "2";
  verdict.pattern = "all of them are in row 3";
  verdict.reason = "7 of 600";
  RunResult result = array_of(verdict);
  result.settings.block = {32, 8};
  const json report = json::parse(json_report(kStage, kFake, result));
  EXPECT_EQ(report["size"], "20x30");
  EXPECT_EQ(report["block_size"], "32x8");
  EXPECT_EQ(report["colour"], "green");
  EXPECT_EQ(report["weight"], "0.5");
  EXPECT_EQ(report["elements"], 600);
  EXPECT_EQ(report["wrong"], 7);
  EXPECT_EQ(report["first"], json::parse(R"({"index": "row 3, column 7", "expected": "1", "got": "2"})"));
  EXPECT_EQ(report["pattern"], "all of them are in row 3");
}

TEST(CasesReport, CountsThemAndShowsTheOneThatFailed) {
  CasesResult cases;
  cases.count = 12;
  cases.device = {"NVIDIA H200", false, 1, 1};
  EXPECT_EQ(text_cases_report(kStage, kSum, cases), "Stage 3 reduction matches reference ✅ in 12 cases\n");
  EXPECT_EQ(json::parse(json_cases_report(kStage, kSum, cases)), json::parse(R"({
      "schema": "verdict.schema.json", "format": 2, "stage": 3,
      "title": "shared memory, interleaved", "source": "answers/stage03/solution.cu", "device": "NVIDIA H200",
      "simulated": false, "problem": "reduction", "matches": true, "cases": 12})"));
  cases.failed = sum_of(5.0, 44.0, false);
  EXPECT_EQ(text_cases_report(kStage, kSum, cases), text_report(kStage, kSum, *cases.failed));
  json expected = json::parse(json_report(kStage, kSum, *cases.failed));
  expected["cases"] = 12;
  expected["failed"] = {{"options", "--size 16777216 --seed 12345 --block-size 256 --distribution uniform"}};
  EXPECT_EQ(json::parse(json_cases_report(kStage, kSum, cases)), expected);
}

TEST(JsonDescription, HoldsEveryField) {
  const Stage stage{3, "a title", "stages/stage03/todo.cu", "32", "", 90};
  EXPECT_EQ(json::parse(json_description(stage, kFake)), json::parse(R"({
      "stage": 3, "title": "a title", "source": "stages/stage03/todo.cu", "problem": "fake",
      "summary": "Calls a function of a test.", "unit": "things",
      "sizes": [{"name": "rows", "help": "of it", "standard": 20, "largest": 100},
                {"name": "columns", "help": "of it", "standard": 30, "largest": 200}],
      "block_sizes": {"rule": "a power of two from 32 to 128", "standard": "32", "accepted": ["32", "64", "128"]},
      "seed": 12345,
      "options": [{"name": "colour", "help": "of all", "standard": "green", "values": ["red", "green"]},
                  {"name": "weight", "help": "of one", "standard": "0.5", "smallest": -1.0, "largest": 2.0}],
      "cases": {"quick": 6, "hostile": 1, "full": 1}, "lesson": {"size": "5x6"},
      "bench": {"sizes": ["7x7", "8x9"], "simulated_sizes": ["1x1"]}, "needs": 90})"));
}

TEST(Errors, AreOneLine) {
  EXPECT_EQ(text_error(kStage, ExitStatus::device_error, "a.cu:3: f() failed"), "error: a.cu:3: f() failed\n");
  EXPECT_EQ(text_error(kStage, ExitStatus::unsolved, "a.cu:3: the kernel"),
            "Stage 3 is not solved yet: a.cu:3: the kernel\n");
  json expected = json::parse(R"({
      "schema": "verdict.schema.json", "format": 2, "stage": 3, "title": "shared memory, interleaved",
      "source": "answers/stage03/solution.cu", "matches": false, "error_kind": "unsolved",
      "error": "a.cu:3: the kernel"})");
  EXPECT_EQ(json::parse(json_error(kStage, ExitStatus::unsolved, "a.cu:3: the kernel", "")), expected);
  expected["failed"] = {{"options", "--size 5"}};
  EXPECT_EQ(json::parse(json_error(kStage, ExitStatus::unsolved, "a.cu:3: the kernel", "--size 5")), expected);
}

}  // namespace
}  // namespace workbook
