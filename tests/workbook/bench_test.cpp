// SPDX-License-Identifier: MIT
// The benchmark's statistics, protocol, options and JSON, with a benchmark that only writes down what is asked of it.
// Nothing here needs a device.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "bench_recorder.h"
#include "workbook/bench/program.h"
#include "workbook/bench/report.h"
#include "workbook/reduction_problem.h"

namespace workbook {
namespace {

// The samples as "sss", "pp", ...; everything between them as itself.
std::string shape_of(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += event.what.size() == 1 ? event.what : event.what.substr(0, 1);
  return text;
}

TEST(Spread, OfOddAndEvenCounts) {
  const Spread odd = spread_of({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.q1, 2);
  EXPECT_EQ(odd.q3, 4);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 5);
  const Spread even = spread_of({4, 1, 3, 2});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.q1, 1.75);
  EXPECT_EQ(even.q3, 3.25);
}

TEST(Spread, OfOneValueAndOfNone) {
  const Spread one = spread_of({7});
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.q1, 7);
  EXPECT_EQ(one.q3, 7);
  EXPECT_THROW(spread_of({}), std::invalid_argument);
}

TEST(Spread, OneOutlierDoesNotMoveTheMiddle) {
  const Spread spread = spread_of({1, 1, 1, 1, 1000});
  EXPECT_EQ(spread.median, 1);
  EXPECT_EQ(spread.q3, 1);
  EXPECT_EQ(spread.max, 1000);
}

TEST(Buffers, AreFourTimesTheCacheAndAtLeastTwo) {
  constexpr std::size_t kL2 = 60u << 20;
  EXPECT_EQ(buffer_count(4096, kL2), 61'440u);
  EXPECT_EQ(buffer_count(64u << 20, kL2), 4u);  // 3.75, rounded up
  EXPECT_EQ(buffer_count(std::size_t{1} << 32, kL2), 2u);
  EXPECT_EQ(buffer_count(0, kL2), 1u);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1000}, std::size_t{12'345'678}}) {
    EXPECT_GE(buffer_count(bytes, kL2) * bytes, 4 * kL2);
  }
}

TEST(Batch, GrowsUntilASampleIsLongEnough) {
  EXPECT_EQ(next_batch(7, kSampleUs), 7u);
  EXPECT_EQ(next_batch(7, 2 * kSampleUs), 7u);
  EXPECT_EQ(next_batch(1, 1.0), 10u);  // tenfold at most
  EXPECT_EQ(next_batch(1, 0.0), 10u);
  EXPECT_GE(next_batch(100, kSampleUs / 2), 200u);
}

TEST(Batch, FollowsTheFasterOfTheTwo) {
  Recorder benchmark;
  EXPECT_GE(find_batch(benchmark, 3, benchmark.instruments(100.0, 4.0)), 250u);
  EXPECT_GE(find_batch(benchmark, 3, benchmark.instruments(4.0, 100.0)), 250u);
  EXPECT_LE(find_batch(benchmark, 3, benchmark.instruments(4.0, 100.0)), 300u);
  EXPECT_EQ(find_batch(benchmark, 3, benchmark.instruments(5000.0, 5000.0)), 1u);
}

TEST(Batch, EndsWhereNothingSeemsToTakeTime) {
  Recorder benchmark;
  EXPECT_EQ(find_batch(benchmark, 3, benchmark.instruments(0.0, 0.0)), 100'000u);
}

TEST(Protocol, StageAndPeerTakeTurnsAndShareTheRotation) {
  Recorder benchmark;
  const Times times = take_times(benchmark, 5, 3, 4, false, benchmark.instruments(2.0, 8.0));
  EXPECT_EQ(shape_of(benchmark.events), "[sss][ppp][ppp][sss][sss][ppp][ppp][sss]");
  std::size_t expected = 0;
  for (const Event& event : benchmark.events) {
    if (event.what.size() == 1) continue;
    EXPECT_EQ(event.turn, expected++ % 5);
  }
  EXPECT_EQ(times.batch, 3u);
  EXPECT_EQ(times.stage_us.median, 2.0);
  EXPECT_EQ(times.peer_us.median, 8.0);
}

TEST(Protocol, WithTwoInputsAndABatchOfOneEachMeetsBoth) {
  Recorder benchmark;
  take_times(benchmark, 2, 1, 4, false, benchmark.instruments(1.0, 1.0));
  std::set<std::size_t> stage, peer;
  for (const Event& event : benchmark.events) {
    if (event.what == "stage") stage.insert(event.turn);
    if (event.what == "peer") peer.insert(event.turn);
  }
  EXPECT_EQ(stage.size(), 2u);
  EXPECT_EQ(peer.size(), 2u);
}

TEST(Protocol, InPlaceRestoresBeforeEachSampleAndNeverInside) {
  Recorder benchmark;
  take_times(benchmark, 2, 2, 2, true, benchmark.instruments(1.0, 1.0));
  EXPECT_EQ(shape_of(benchmark.events), "rc[ss]rc[pp]rc[pp]rc[ss]r");
  EXPECT_THROW(take_times(benchmark, 2, 3, 2, true, benchmark.instruments(1.0, 1.0)), std::invalid_argument);
}

TEST(Check, TheFirstInputsAndTheLast) {
  Recorder benchmark;
  const Checked checked = check_results(benchmark, 9);
  std::set<std::size_t> turns;
  for (const Event& event : benchmark.events) turns.insert(event.turn);
  EXPECT_EQ(turns, (std::set<std::size_t>{0, 1, 8}));
  EXPECT_TRUE(checked.matches);
  EXPECT_FALSE(checked.in_place);
  EXPECT_EQ(checked.error, 0.5);
  EXPECT_EQ(checked.error_u, 4.0);
  EXPECT_EQ(checked.peer_error_u, 2.0);
  EXPECT_EQ(check_results(benchmark, 1).error_u, 4.0);
}

TEST(Check, WhatAStageChangedIsRestored) {
  Recorder benchmark;
  benchmark.changes = true;
  EXPECT_TRUE(check_results(benchmark, 2).in_place);
  EXPECT_EQ(shape_of(benchmark.events), "crcr");
}

TEST(Check, AWrongStageAndAWrongPeerAreToldApart) {
  Recorder benchmark;
  benchmark.result.peer = {false, 9.0, 0.0, 1.0, "off by 9"};
  EXPECT_EQ(check_results(benchmark, 2).reason, "the peer, not the stage: off by 9");
  benchmark.result.stage = {false, 5.0, 0.0, 1.0, "off by 5"};
  EXPECT_EQ(check_results(benchmark, 2).reason, "off by 5");
  EXPECT_FALSE(check_results(benchmark, 2).matches);
}

TEST(Check, NanIsTheLargestError) {
  Recorder benchmark;
  benchmark.result.stage = {false, std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, "NaN"};
  EXPECT_TRUE(std::isnan(check_results(benchmark, 3).error));
  EXPECT_TRUE(std::isnan(check_results(benchmark, 3).error_u));
}

TEST(Check, WithoutRoundingThereAreNoUnits) {
  Recorder benchmark;
  benchmark.result = {{true, 0.0, 0.0, 0.0, ""}, {true, 0.0, 0.0, 0.0, ""}, 0.0};
  EXPECT_EQ(check_results(benchmark, 1).error_u, 0.0);
}

constexpr Stage kStage{7, "one pass", "answers/stage07/solution.cu", 1024};
const ReductionProblem kProblem{ReduceFunction()};

std::variant<BenchOptions, HelpText, UsageError> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  return parse_bench_options(kStage, kProblem, static_cast<int>(arguments.size()), arguments.data());
}

std::string mistake(const std::vector<const char*>& arguments) {
  const auto parsed = parse(arguments);
  const auto* error = std::get_if<UsageError>(&parsed);
  return error != nullptr ? error->message : "(accepted)";
}

TEST(BenchOptions, AllAreRead) {
  const auto options =
      std::get<BenchOptions>(parse({"--sizes", "1,1024,1073741824", "--seed", "3", "--block-size", "64",
                                    "--distribution", "exact", "--samples", "5", "--check-only", "--json"}));
  EXPECT_EQ(options.sizes, (std::vector<std::size_t>{1, 1024, 1'073'741'824}));
  EXPECT_EQ(options.settings.seed, 3u);
  EXPECT_EQ(options.settings.block_size, 64u);
  EXPECT_EQ(options.settings.own.at("distribution"), "exact");
  EXPECT_EQ(options.samples, 5);
  EXPECT_TRUE(options.check_only);
  EXPECT_TRUE(options.json);
}

TEST(BenchOptions, DefaultsAreTheStages) {
  const auto options = std::get<BenchOptions>(parse({}));
  EXPECT_EQ(options.settings.block_size, 1024u);
  EXPECT_EQ(options.sizes.front(), 1024u);
  EXPECT_EQ(options.samples, 21);
  EXPECT_FALSE(options.check_only);
}

TEST(BenchOptions, MistakesGetOneClearLine) {
  EXPECT_EQ(mistake({"--sizes", ""}), "--sizes  is not a whole number");
  EXPECT_EQ(mistake({"--sizes", "1024,"}), "--sizes  is not a whole number");
  EXPECT_EQ(mistake({"--sizes", "1024,,5"}), "--sizes  is not a whole number");
  EXPECT_EQ(mistake({"--sizes", "1024,2k"}), "--sizes 2k is not a whole number");
  EXPECT_EQ(mistake({"--sizes", "0"}), "--sizes 0 is too small: at least 1");
  EXPECT_EQ(mistake({"--sizes", "-4"}), "--sizes -4 is negative");
  EXPECT_EQ(mistake({"--sizes", "1000000000000000"}), "--sizes 1000000000000000 is too large: at most 281474976710656");
  EXPECT_EQ(mistake({"--samples", "0"}), "--samples 0 is too small: at least 1");
  EXPECT_EQ(mistake({"--block-size", "48"}), "--block-size 48 is not a power of two from 32 to 1024");
  EXPECT_EQ(mistake({"--size", "48"}), "unknown option --size (--help lists the options)");
  EXPECT_EQ(mistake({"--repeat", "4"}), "unknown option --repeat (--help lists the options)");
}

BenchResult some_result() {
  BenchResult result;
  result.device.name = "NVIDIA H200";
  result.facts = {62'914'560, 90, {75, 90}};
  result.settings = ReductionProblem::settings(Distribution::uniform, 0, 5, 1024);
  result.peer = "peer 1.0";
  result.copy = {1000, 4266.0};
  result.empty_launch_us = 3.25;
  SizeResult timed;
  timed.size = 1024;
  timed.input_bytes = 4096;
  timed.buffers = 61'440;
  timed.checked = {true, "", 0.5, 4.0, 2.0, false};
  timed.samples = 21;
  timed.times = {200, {2.0, 1.0, 4.0, 1.5, 3.0}, {4.0, 3.0, 5.0, 3.5, 4.5}};
  SizeResult skipped;
  skipped.size = 2048;
  skipped.input_bytes = 8192;
  skipped.skipped = "needs 8 bytes, 4 are free";
  result.sizes = {timed, skipped};
  return result;
}

TEST(BenchReport, JsonHasEveryField) {
  const auto json = nlohmann::json::parse(json_bench_report(kStage, "reduction", some_result()));
  EXPECT_EQ(json["stage"], 7);
  EXPECT_EQ(json["problem"], "reduction");
  EXPECT_EQ(json["device"], "NVIDIA H200");
  EXPECT_EQ(json["simulated"], false);
  EXPECT_EQ(json["block_size"], 1024);
  EXPECT_EQ(json["distribution"], "uniform");
  EXPECT_EQ(json["peer"], "peer 1.0");
  EXPECT_EQ(json["copy_gb_s"], 4266.0);
  EXPECT_EQ(json["empty_launch_us"], 3.25);
  EXPECT_EQ(json["l2_bytes"], 62'914'560);
  EXPECT_EQ(json["compute_capability"], 90);
  EXPECT_EQ(json["compiled_for"], (std::vector<int>{75, 90}));
  EXPECT_EQ(json["matches"], true);
  const auto& row = json["sizes"][0];
  EXPECT_EQ(row["size"], 1024);
  EXPECT_EQ(row["input_bytes"], 4096);
  EXPECT_EQ(row["buffers"], 61'440);
  EXPECT_EQ(row["batch"], 200);
  EXPECT_EQ(row["samples"], 21);
  EXPECT_EQ(row["time_us"], nlohmann::json::parse(R"({"median":2.0,"min":1.0,"max":4.0,"q1":1.5,"q3":3.0})"));
  EXPECT_EQ(row["peer_time_us"]["median"], 4.0);
  EXPECT_EQ(row["error"], 0.5);
  EXPECT_EQ(row["error_u"], 4.0);
  EXPECT_EQ(row["peer_error_u"], 2.0);
  EXPECT_EQ(row["matches"], true);
  EXPECT_EQ(json["sizes"][1]["skipped"], "needs 8 bytes, 4 are free");
  EXPECT_FALSE(json["sizes"][1].contains("matches"));
}

TEST(BenchReport, AKernelThatNeedsACapabilityIsCompiledForThatAlone) {
  Stage stage = kStage;
  stage.compute_capability = 80;
  const auto json = nlohmann::json::parse(json_bench_report(stage, "reduction", some_result()));
  EXPECT_EQ(json["compiled_for"], std::vector<int>{80});
}

TEST(BenchReport, WhatDoesNotMatchHasAReasonAndNoTime) {
  BenchResult result = some_result();
  result.sizes[0].checked = {false, "off", std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, false};
  result.sizes[0].samples = 0;
  EXPECT_FALSE(result.matches());
  const auto json = nlohmann::json::parse(json_bench_report(kStage, "reduction", result));
  EXPECT_EQ(json["matches"], false);
  EXPECT_EQ(json["sizes"][0]["reason"], "off");
  EXPECT_TRUE(json["sizes"][0]["error"].is_null());
  EXPECT_FALSE(json["sizes"][0].contains("time_us"));
}

TEST(BenchReport, TextHasRatioAndShareOfTheCopy) {
  const std::string text = text_bench_report(kStage, "reduction", some_result());
  EXPECT_NE(text.find("        1024        2.00        4.00        0.50       2    0.0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("2048  skipped: needs 8 bytes, 4 are free\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace workbook
