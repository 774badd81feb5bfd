// SPDX-License-Identifier: MIT
// The report's text is quoted by lessons, its JSON is read by programs: both are fixed here, to the letter.
#include "workbook/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "workbook/reduction_problem.h"

namespace workbook {
namespace {

constexpr Stage kStage{3, "shared memory, interleaved", "answers/stage03/solution.cu"};

RunResult with_sum(RunResult result, float sum, const Reference& reference) {
  result.values = {{"sum", reference.sum, static_cast<double>(sum), 9}};
  result.verdict = check_sum(sum, reference);
  return result;
}

RunResult matching_run(bool simulated) {
  RunResult result;
  result.device = {simulated ? "Simulated GPU (cudasim)" : "NVIDIA H200", simulated, 1000, 2000};
  result.settings = ReductionProblem::settings(Distribution::uniform, 16'777'216, 12345, 256);
  result.description = "Input size: 16777216 elements (uniform, seed 12345)";
  result.cpu_time_ms = 61.25;
  result.time_ms = 0.5;
  result.timed_calls = simulated ? 1 : 5;
  return with_sum(result, 0x1p22f, {0x1p22 + 0.5, 0x1p22, 16'777'216, false});
}

RunResult failing_run() {
  return with_sum(matching_run(true), std::numeric_limits<float>::quiet_NaN(),
                  {0x1p22 + 0.5, 0x1p22, 16'777'216, false});
}

TEST(Report, TextOfAGpuRun) {
  EXPECT_EQ(text_report(kStage, "reduction", matching_run(false)),
            "Stage 3 reduction matches reference ✅\n"
            "\n"
            "Device: NVIDIA H200\n"
            "Input size: 16777216 elements (uniform, seed 12345), 256 threads a block\n"
            "CPU sum : 4194304.5\n"
            "GPU sum : 4194304\n"
            "Relative error: 1.19e-07 (error 0.5, at most 44 allowed)\n"
            "\n"
            "Timing:\n"
            "  CPU time : 61.250 ms\n"
            "  GPU time : 0.500 ms (median of 5)\n");
}

TEST(Report, ASimulatedTimeIsNeverCalledGpuTime) {
  const std::string text = text_report(kStage, "reduction", matching_run(true));
  EXPECT_NE(text.find("  Simulation time (host clock, not a GPU time) : 0.500 ms\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("GPU time :"), std::string::npos);
  EXPECT_NE(text.find("Device: Simulated GPU (cudasim)\n"), std::string::npos);
}

TEST(Report, AFailureSaysWhatAndHowToRepeatIt) {
  const std::string text = text_report(kStage, "reduction", failing_run());
  EXPECT_EQ(text.find("matches reference ✅"), std::string::npos);
  EXPECT_EQ(text.rfind("Stage 3 reduction does not match reference ❌\n\nWhat is wrong: the result is NaN", 0), 0u)
      << text;
  EXPECT_NE(text.find("In: answers/stage03/solution.cu, with --size 16777216 --seed 12345 --block-size 256 "
                      "--distribution uniform\n"),
            std::string::npos);
}

TEST(Report, ExactDataSaysThatItMustMatchToTheBit) {
  const RunResult result = with_sum(matching_run(true), 0x1p22f, {0x1p22, 0x1p22, 16'777'216, true});
  EXPECT_NE(text_report(kStage, "reduction", result).find("Relative error: 0 (must match to the bit)\n"),
            std::string::npos);
}

TEST(Report, JsonHoldsEveryField) {
  const auto json = nlohmann::json::parse(json_report(kStage, "reduction", matching_run(false)));
  EXPECT_EQ(json, nlohmann::json::parse(R"({"stage": 3, "title": "shared memory, interleaved",
      "source": "answers/stage03/solution.cu", "device": "NVIDIA H200", "simulated": false, "problem": "reduction", "size": 16777216,
      "seed": 12345, "block_size": 256, "distribution": "uniform", "cpu_sum": 4194304.5, "gpu_sum": 4194304.0,
      "absolute_error": 0.5, "relative_error": 1.1920927533992823e-07, "bound": 44.0, "matches": true,
      "time_ms": 0.5, "time_kind": "gpu", "timed_calls": 5, "cpu_time_ms": 61.25})"))
      << json.dump();
  EXPECT_EQ(nlohmann::json::parse(json_report(kStage, "reduction", matching_run(true)))["time_kind"], "simulation");
}

TEST(Report, JsonOfAFailureIsStillJson) {
  const auto json = nlohmann::json::parse(json_report(kStage, "reduction", failing_run()));
  EXPECT_EQ(json["matches"], false);
  EXPECT_TRUE(json["gpu_sum"].is_null());
  EXPECT_TRUE(json["relative_error"].is_null());
  EXPECT_EQ(json["error_kind"], "does-not-match");
  EXPECT_NE(json["error"].get<std::string>().find("NaN"), std::string::npos);
}

TEST(Report, ErrorsAreOneLine) {
  EXPECT_EQ(text_error(kStage, ExitStatus::device_error, "a.cu:3: f() failed"), "error: a.cu:3: f() failed\n");
  EXPECT_EQ(text_error(kStage, ExitStatus::unsolved, "a.cu:3: the kernel"),
            "Stage 3 is not solved yet: a.cu:3: the kernel\n");
  const auto json = nlohmann::json::parse(json_error(kStage, ExitStatus::unsolved, "a.cu:3: the kernel"));
  EXPECT_EQ(json, nlohmann::json::parse(R"({"stage": 3, "title": "shared memory, interleaved",
      "source": "answers/stage03/solution.cu", "matches": false, "error_kind": "unsolved",
      "error": "a.cu:3: the kernel"})"));
}

}  // namespace
}  // namespace workbook
