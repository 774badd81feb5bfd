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

#include "../fake_problem.h"
#include "bench_recorder.h"
#include "workbook/bench/program.h"
#include "workbook/bench/report.h"
#include "workbook/problem/products/matrix/matrix_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

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
    EXPECT_GE(buffer_count(static_cast<double>(bytes), kL2) * bytes, 4 * kL2);
  }
}

TEST(Batch, GrowsUntilASampleIsLongEnough) {
  EXPECT_EQ(next_batch(7, kSampleUs), 7u);
  EXPECT_EQ(next_batch(7, 2 * kSampleUs), 7u);
  EXPECT_EQ(next_batch(1, 1.0), 10u);  // tenfold at most
  EXPECT_EQ(next_batch(1, 0.0), 10u);
  EXPECT_GE(next_batch(100, kSampleUs / 2), 200u);
}

TEST(Batch, FollowsTheFastest) {
  Recorder benchmark("pq");
  const auto batch = [&benchmark](double stage_us, double p_us, double q_us) {
    return find_batch(benchmark, 3, benchmark.instruments({{"stage", stage_us}, {"p", p_us}, {"q", q_us}}));
  };
  for (const std::size_t found : {batch(100.0, 4.0, 50.0), batch(4.0, 100.0, 100.0), batch(100.0, 100.0, 4.0)}) {
    EXPECT_GE(found, 250u);
    EXPECT_LE(found, 300u);
  }
  EXPECT_EQ(batch(5000.0, 5000.0, 5000.0), 1u);
}

TEST(Batch, EndsWhereNothingSeemsToTakeTime) {
  Recorder benchmark;
  EXPECT_EQ(find_batch(benchmark, 3, benchmark.instruments({{"stage", 0.0}, {"p", 0.0}})), 100'000u);
}

// Each round goes the other way, with any number of peers. Each sample begins with what the same computation leaves
// behind.
TEST(Protocol, StageAndPeersTakeTurnsAndShareTheRotation) {
  const std::pair<const char*, const char*> table[] = {
      {"", "s[sss]s[sss]s[sss]s[sss]"},
      {"p", "s[sss]p[ppp]p[ppp]s[sss]s[sss]p[ppp]p[ppp]s[sss]"},
      {"P", "s[sss]s[sss]s[sss]s[sss]"},
      {"pQr", "s[sss]p[ppp]r[rrr]r[rrr]p[ppp]s[sss]s[sss]p[ppp]r[rrr]r[rrr]p[ppp]s[sss]"},
  };
  for (const auto& [peers, shape] : table) {
    Recorder benchmark(peers);
    const Times times =
        take_times(benchmark, 5, 3, 4, false, benchmark.instruments({{"stage", 2.0}, {"p", 8.0}, {"r", 4.0}}));
    EXPECT_EQ(shape_of(benchmark.events), shape);
    std::size_t expected = 0;
    for (const Event& event : benchmark.events) {
      if (event.what == "[" || event.what == "]") continue;
      EXPECT_EQ(event.turn, expected++ % 5) << peers;
    }
    EXPECT_EQ(times.batch, 3u);
    EXPECT_EQ(times.stage_us.median, 2.0);
    ASSERT_EQ(times.peers_us.size(), benchmark.result.peers.size()) << peers;
    if (!times.peers_us.empty()) {
      EXPECT_EQ(times.peers_us.front().median, 8.0) << peers;
      EXPECT_EQ(times.peers_us.back().median, times.peers_us.size() == 1 ? 8.0 : 4.0) << peers;
    }
  }
}

TEST(Protocol, InPlaceRestoresBeforeEachSampleAndNeverInside) {
  Recorder benchmark;
  const Instruments instruments = benchmark.instruments({{"stage", 1.0}, {"p", 1.0}});
  take_times(benchmark, 2, 2, 2, true, instruments);
  EXPECT_EQ(shape_of(benchmark.events), "rc[ss]rc[pp]rc[pp]rc[ss]r");
  EXPECT_THROW(take_times(benchmark, 2, 3, 2, true, instruments), std::invalid_argument);
}

TEST(Check, TheFirstInputsAndTheLast) {
  Recorder benchmark("pq");
  benchmark.result.peers[1].error = 0.0;
  const Checked checked = check_results(benchmark, 9);
  std::set<std::size_t> turns;
  for (const Event& event : benchmark.events) turns.insert(event.turn);
  EXPECT_EQ(turns, (std::set<std::size_t>{0, 1, 8}));
  EXPECT_TRUE(checked.matches);
  EXPECT_FALSE(checked.in_place);
  EXPECT_EQ(checked.error, 0.5);
  EXPECT_EQ(checked.error_u, 4.0);
  EXPECT_EQ(checked.peers_error_u, (std::vector<double>{2.0, 0.0}));
  EXPECT_EQ(check_results(benchmark, 1).error_u, 4.0);
  Recorder alone("P");
  EXPECT_TRUE(check_results(alone, 2).matches);
  EXPECT_TRUE(check_results(alone, 2).peers_error_u.empty());
}

TEST(Check, WhatAStageChangedIsRestored) {
  Recorder benchmark;
  benchmark.changes = true;
  EXPECT_TRUE(check_results(benchmark, 2).in_place);
  EXPECT_EQ(shape_of(benchmark.events), "crcr");
}

TEST(Check, AWrongStageAndAWrongPeerAreToldApart) {
  Recorder benchmark("pq");
  benchmark.result.peers[1] = not_matching(9.0, "off by 9");
  EXPECT_EQ(check_results(benchmark, 2).reason, "the peer, not the stage: off by 9");
  EXPECT_FALSE(check_results(benchmark, 2).matches);
  benchmark.result.stage = not_matching(5.0, "off by 5");
  EXPECT_EQ(check_results(benchmark, 2).reason, "off by 5");
  EXPECT_FALSE(check_results(benchmark, 2).matches);
}

TEST(Check, NanIsTheLargestError) {
  Recorder benchmark;
  benchmark.result.stage = not_matching(std::numeric_limits<double>::quiet_NaN(), "NaN");
  EXPECT_TRUE(std::isnan(check_results(benchmark, 3).error));
  EXPECT_TRUE(std::isnan(check_results(benchmark, 3).error_u));
}

TEST(Check, WithoutRoundingThereAreNoUnits) {
  Recorder benchmark;
  benchmark.result = {matching(0.0), {matching(0.0)}, 0.0};
  EXPECT_EQ(check_results(benchmark, 1).error_u, 0.0);
}

constexpr Stage kStage{7, "one pass", "answers/stage07/solution.cu", "1024"};
const StatisticsProblem kSum{Reduce{}};
constexpr Stage kMatrixStage{12, "transpose", "answers/stage12/solution.cu"};
const MatrixProblem kTranspose{Move::transpose, nullptr};

std::variant<BenchOptions, HelpText, UsageError> parse(const Stage& stage, const Problem& problem,
                                                       std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  return parse_bench_options(stage, problem, static_cast<int>(arguments.size()), arguments.data());
}

std::string mistake(const Stage& stage, const Problem& problem, const std::vector<const char*>& arguments) {
  const auto parsed = parse(stage, problem, arguments);
  const auto* error = std::get_if<UsageError>(&parsed);
  return error != nullptr ? error->message : "(accepted)";
}

std::vector<Sizes> sizes_of(const BenchOptions& options) {
  std::vector<Sizes> sizes;
  for (const Settings& row : options.rows) sizes.push_back(row.sizes);
  return sizes;
}

TEST(BenchOptions, AllAreRead) {
  const auto options =
      std::get<BenchOptions>(parse(kStage, kSum,
                                   {"--sizes", "1,1024,1073741824", "--seed", "3", "--block-size", "64",
                                    "--distribution", "exact", "--samples", "5", "--check-only", "--json", "a.json"}));
  EXPECT_EQ(sizes_of(options), (std::vector<Sizes>{{1}, {1024}, {1'073'741'824}}));
  EXPECT_EQ(options.settings.seed, 3u);
  EXPECT_EQ(options.settings.block.x, 64u);
  EXPECT_EQ(options.settings.choice<Numbers>("distribution"), Numbers::exact);
  EXPECT_EQ(options.samples, 5);
  EXPECT_TRUE(options.check_only);
  EXPECT_EQ(options.json.file, "a.json");
}

TEST(BenchOptions, SizesOfAMatrixAreShapes) {
  const auto options = std::get<BenchOptions>(parse(kMatrixStage, kTranspose, {"--sizes", "1024x2048,64"}));
  EXPECT_EQ(sizes_of(options), (std::vector<Sizes>{{1024, 2048}, {64, 64}}));
}

TEST(BenchOptions, DefaultsAreTheStages) {
  const auto options = std::get<BenchOptions>(parse(kStage, kSum, {}));
  EXPECT_EQ(options.settings.block.x, 1024u);
  EXPECT_EQ(options.rows.front().sizes, Sizes{1024});
  EXPECT_EQ(options.rows.back().sizes, Sizes{1'073'741'824});
  EXPECT_EQ(options.samples, 21);
  EXPECT_FALSE(options.check_only || options.json.wanted);
  EXPECT_EQ(std::get<BenchOptions>(parse(kMatrixStage, kTranspose, {})).rows.front().sizes, (Sizes{1024, 1024}));
}

// A stage of two colours, which are rows of its benchmark: at 7x7 both, at 8x9 green alone.
class Coloured final : public FakeProblem {
 public:
  Coloured() : FakeProblem([](const Settings&, const Call&, GpuTimer&) { return right(); }) {}
  std::vector<Option> options() const override {
    std::vector<Option> options = FakeProblem::options();
    options[0].is_row = true;
    return options;
  }
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override {
    std::vector<Settings> cases = FakeProblem::cases(purpose, standard, shapes, simulated);
    for (Settings& settings : cases) settings.options["weight"] = 2.0;  // no row: whoever types it decides
    if (purpose != Purpose::bench) return cases;
    cases.insert(cases.begin(), cases.front());
    cases[0].options["colour"] = 0.0;
    return cases;
  }
};

TEST(BenchOptions, ValuesOfAnOptionAreRows) {
  const Coloured problem;
  const auto rows = [&](const std::vector<const char*>& arguments) {
    std::string found;
    const auto options = std::get<BenchOptions>(parse(kMatrixStage, problem, arguments));
    for (const Settings& row : options.rows) {
      found += text_of(row.sizes) + (row.options.at("colour") == 0.0 ? " red, " : " green, ");
      EXPECT_EQ(row.options.at("weight"), 0.5);
    }
    return found;
  };
  EXPECT_EQ(rows({}), "7x7 red, 7x7 green, 8x9 green, ");
  EXPECT_EQ(rows({"--colour", "green"}), "7x7 green, 8x9 green, ");
  EXPECT_EQ(rows({"--sizes", "5x6"}), "5x6 red, 5x6 green, ");
  EXPECT_EQ(rows({"--sizes", "5x6", "--colour", "red"}), "5x6 red, ");
  EXPECT_EQ(rows({"--check-only"}), "1x2 green, 3x4 green, ");
}

TEST(BenchOptions, MistakesGetOneClearLine) {
  const std::pair<std::vector<const char*>, const char*> table[] = {
      {{"--sizes", ""}, "--sizes  is not a whole number"},
      {{"--sizes", "1024,"}, "--sizes  is not a whole number"},
      {{"--sizes", "1024,,5"}, "--sizes  is not a whole number"},
      {{"--sizes", "1024,2k"}, "--sizes 2k is not a whole number"},
      {{"--sizes", "0"}, "--sizes 0 has nothing to time"},
      {{"--sizes", "-4"}, "--sizes -4 is negative"},
      {{"--sizes", "64x64"}, "--sizes 64x64 has 2 extents: size has 1"},
      {{"--sizes", "1000000000000000"}, "--sizes 1000000000000000 is too large: at most 281474976710656"},
      {{"--samples", "0"}, "--samples 0 is too small: at least 1"},
      {{"--block-size", "48"}, "--block-size 48 is not a power of two from 32 to 1024"},
      {{"--size", "48"}, "unknown option --size; did you mean --sizes? (--help lists the options)"},
      {{"--repeat", "4"}, "unknown option --repeat (--help lists the options)"},
  };
  for (const auto& [arguments, message] : table) EXPECT_EQ(mistake(kStage, kSum, arguments), message);
  EXPECT_EQ(mistake(kMatrixStage, kTranspose, {"--sizes", "64,5x0"}), "--sizes 5x0 has nothing to time");
  EXPECT_EQ(mistake(kMatrixStage, kTranspose, {"--sizes", "1x2x3"}), "--sizes 1x2x3 has 3 extents: rowsxcolumns has 2");
}

// Two peers that are there and one that is not; one size was timed, one does not fit.
BenchResult some_result() {
  BenchResult result;
  result.device.name = "NVIDIA H200";
  result.facts = {62'914'560, 90, 256, {75, 90}};
  result.settings = default_settings(kStage, kSum);
  result.peers = {{"peer 1.0", "", nullptr}, {"absent", "not here", nullptr}, {"other 2.0", "", nullptr}};
  result.copy = {1000, 4266.0};
  result.empty_launch_us = 3.25;
  SizeResult timed;
  timed.sizes = {1024};
  timed.work = {"floats", 1024.0, 4096.0, 0.0, 1024.0};
  timed.peers = result.peers;
  timed.peers.front().tuned_for = 90;
  timed.buffers = 61'440;
  timed.checked = {true, "", 0.5, 4.0, {2.0, 1.0}, false};
  timed.samples = 21;
  timed.times = {200,
                 {2.0, 1.0, 4.0, 1.5, 3.0},
                 {{4.0, 3.0, 5.0, 3.5, 4.5}, {1.0, 1.0, 1.0, 1.0, 1.0}},
                 {1000.0, 900.0, 1100.0, 950.0, 1050.0}};
  SizeResult skipped;
  skipped.sizes = {2048};
  skipped.work = {"floats", 2048.0, 8192.0, 0.0, 2048.0};
  skipped.skipped = "needs 8 bytes, 4 are free";
  result.sizes = {timed, skipped};
  return result;
}

nlohmann::json json_of(const BenchResult& result) {
  return nlohmann::json::parse(json_bench_report(kStage, kSum, result));
}

TEST(BenchProgram, RefusesAPeerWithTheTilesOfAnotherGpu) {
  Peer peer;
  peer.name = "cub::DeviceReduce, CUB 3.0.1";
  EXPECT_EQ(tuning_problem(peer, 90), "") << "machine code for every GPU";
  peer.tuned_for = 86;
  EXPECT_EQ(tuning_problem(peer, 89), "") << "the same generation";
  peer.tuned_for = 75;
  const std::string why = tuning_problem(peer, 90);
  EXPECT_NE(why.find("CUB 3.0.1 was compiled for compute capability 7.5, and this GPU has 9.0"), std::string::npos)
      << why;
}

TEST(BenchReport, JsonHasEveryField) {
  EXPECT_EQ(json_of(some_result()), nlohmann::json::parse(R"({
      "stage": 7, "title": "one pass", "source": "answers/stage07/solution.cu", "problem": "reduction",
      "device": "NVIDIA H200", "simulated": false, "seed": 12345, "block_size": 1024, "distribution": "uniform",
      "peers": ["peer 1.0", "absent", "other 2.0"], "l2_bytes": 62914560, "compute_capability": 90,
      "compiled_for": [75, 90], "copy_gb_s": 4266.0, "copy_bytes": 1000, "empty_launch_us": 3.25, "fp32_lanes": 256, "matches": true,
      "sizes": [
        {"size": 1024, "work": {"unit": "floats", "elements": 1024.0, "bytes_read": 4096.0, "bytes_written": 0.0,
                                "operations": 1024.0},
         "buffers": 61440, "in_place": false, "in_l2": false, "batch": 200, "samples": 21,
         "time_us": {"median": 2.0, "min": 1.0, "max": 4.0, "q1": 1.5, "q3": 3.0}, "of_peak": 0.001,
         "clock_mhz": {"median": 1000.0, "min": 900.0, "max": 1100.0, "q1": 950.0, "q3": 1050.0}, "error": 0.5, "error_u": 4.0,
         "peers": [{"name": "peer 1.0", "tuned_for": 90, "error_u": 2.0,
                    "time_us": {"median": 4.0, "min": 3.0, "max": 5.0, "q1": 3.5, "q3": 4.5}},
                   {"name": "absent", "missing": "not here"},
                   {"name": "other 2.0", "error_u": 1.0,
                    "time_us": {"median": 1.0, "min": 1.0, "max": 1.0, "q1": 1.0, "q3": 1.0}}],
         "matches": true},
        {"size": 2048, "work": {"unit": "floats", "elements": 2048.0, "bytes_read": 8192.0, "bytes_written": 0.0,
                                "operations": 2048.0},
         "skipped": "needs 8 bytes, 4 are free"}]})"));
}

TEST(BenchReport, ARowWhoseInputsFitInTheCacheSaysSo) {
  BenchResult result = some_result();
  EXPECT_EQ(text_bench_report(kStage, kSum, result).find("fit in the L2"), std::string::npos);
  result.sizes.front().is_in_l2 = true;
  EXPECT_NE(text_bench_report(kStage, kSum, result).find("all inputs fit in the L2 cache\n"), std::string::npos);
  EXPECT_EQ(json_of(result)["sizes"][0]["in_l2"], true);
}

TEST(BenchReport, RowsOfOneSizeAreToldApartAndKeysCounted) {
  BenchResult result = some_result();
  EXPECT_EQ(text_bench_report(kStage, kSum, result).find("Gkey/s"), std::string::npos);
  result.sizes[0].which = "--hits one";
  result.sizes[0].work.unit = "keys";
  EXPECT_EQ(json_of(result)["sizes"][0]["case"], "--hits one");
  const std::string text = text_bench_report(kStage, kSum, result);
  EXPECT_NE(text.find("1024  --hits one   "), std::string::npos) << text;
  EXPECT_NE(text.find("    Gkey/s   error/u\n"), std::string::npos) << text;
  EXPECT_NE(text.find("      0.51      4.00\n"), std::string::npos) << text;
  result.sizes[0].work.unit = "queries";
  EXPECT_NE(text_bench_report(kStage, kSum, result).find("  Gquery/s   error/u\n"), std::string::npos);
}

TEST(BenchReport, NoPeersAreAnEmptyList) {
  BenchResult result = some_result();
  result.peers.clear();
  result.sizes[0].peers.clear();
  result.sizes[0].checked.peers_error_u.clear();
  result.sizes[0].times.peers_us.clear();
  EXPECT_EQ(json_of(result)["peers"], nlohmann::json::array());
  EXPECT_EQ(json_of(result)["sizes"][0]["peers"], nlohmann::json::array());
  EXPECT_EQ(text_bench_report(kStage, kSum, result).find("peer"), std::string::npos);
}

TEST(BenchReport, WithoutTimesThereAreNone) {
  BenchResult result = some_result();
  result.copy = {};
  result.empty_launch_us = 0.0;
  result.sizes[0].samples = 0;
  const nlohmann::json json = json_of(result);
  for (const char* const field : {"copy_gb_s", "copy_bytes", "empty_launch_us"})
    EXPECT_TRUE(json[field].is_null()) << field;
  EXPECT_FALSE(json["sizes"][0].contains("time_us"));
  EXPECT_FALSE(json["sizes"][0]["peers"][0].contains("time_us"));
  EXPECT_EQ(json["sizes"][0]["peers"][0]["error_u"], 2.0);
}

TEST(BenchReport, AKernelThatNeedsACapabilityIsCompiledForThatAlone) {
  Stage stage = kStage;
  stage.compute_capability = 80;
  const auto json = nlohmann::json::parse(json_bench_report(stage, kSum, some_result()));
  EXPECT_EQ(json["compiled_for"], std::vector<int>{80});
}

TEST(BenchReport, WhatDoesNotMatchHasAReasonAndNoTime) {
  BenchResult result = some_result();
  result.sizes[0].checked = {false, "off", std::numeric_limits<double>::quiet_NaN(), 0.0, {0.0, 0.0}, false};
  result.sizes[0].samples = 0;
  EXPECT_FALSE(result.matches());
  const nlohmann::json json = json_of(result);
  EXPECT_EQ(json["matches"], false);
  EXPECT_EQ(json["sizes"][0]["reason"], "off");
  EXPECT_TRUE(json["sizes"][0]["error"].is_null());
  EXPECT_FALSE(json["sizes"][0].contains("time_us"));
}

TEST(BenchReport, TextHasRatioAndShareOfTheCopy) {
  const std::string text = text_bench_report(kStage, kSum, some_result());
  EXPECT_NE(text.find("Peer: peer 1.0\nPeer: absent (not measured: not here)\nPeer: other 2.0\n"), std::string::npos)
      << text;
  // size, stage us, GB/s, of copy; two peers' us and ratios; error/u
  EXPECT_NE(
      text.find(
          "          1024        2.00       2    0.0 %        4.00        0.50        1.00        2.00      4.00\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("2048  skipped: needs 8 bytes, 4 are free\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("of peak"), std::string::npos) << "memory is what it waits for";
}

TEST(BenchReport, WhatComputesHasItsShareOfThePeak) {
  BenchResult result = some_result();
  result.sizes[0].work.operations = 409'600.0;  // in 2 us, on 256 lanes at 1 GHz, which can do 1,024,000
  const std::string text = text_bench_report(kStage, kSum, result);
  EXPECT_NE(text.find("stage/peer   TFLOP/s  of peak    MHz   error/u\n"), std::string::npos) << text;
  EXPECT_NE(text.find("        2.00      0.20   40.0 %   1000      4.00\n"), std::string::npos) << text;
  result.facts.fp32_lanes = 0;
  EXPECT_EQ(result.of_peak(result.sizes[0]), 0.0) << "not known";
}

}  // namespace
}  // namespace workbook
