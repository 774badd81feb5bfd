// SPDX-License-Identifier: MIT
// A benchmark program's ends: what is checked before anything is timed, and what becomes of a size that does not fit.
// They need a device, because the stage's function is called first; on a simulated one nothing is timed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "bench_recorder.h"
#include "workbook/bench/program.h"
#include "workbook/case/device.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {
namespace {

constexpr Stage kStage{7, "one pass", "answers/stage07/solution.cu", "256"};

float honest(const float* input, std::size_t n, unsigned, GpuTimer& timer) {
  timer.start();
  timer.stop();
  return static_cast<float>(reference_statistic<float>(Operation::sum, {{input, n}}).value);
}

struct Ended {
  ExitStatus status;
  nlohmann::json report;
  std::string errors;
};

Ended run(Reduce reduce, const MakeBenchmark& make, const char* sizes = "1000") {
  std::vector<const char*> arguments{"program", "--json", "--sizes", sizes};
  if (current_device().is_simulated) arguments.push_back("--check-only");
  std::ostringstream out, err;
  const ExitStatus status = run_bench_program(kStage, StatisticsProblem(reduce), make,
                                              static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {status, out.str().empty() ? nlohmann::json() : nlohmann::json::parse(out.str()), err.str()};
}

std::unique_ptr<Benchmark> make_recorder(const Settings&, std::size_t) { return std::make_unique<Recorder>(); }

TEST(BenchProgram, AMatchEndsWithZero) {
  const Ended ended = run(honest, make_recorder, "1000,2000");
  EXPECT_EQ(ended.status, ExitStatus::matches) << ended.errors;
  EXPECT_EQ(ended.report["peers"], std::vector<std::string>{"p"});
  EXPECT_EQ(ended.report["sizes"].size(), 2u);
  EXPECT_EQ(ended.report["sizes"][0].contains("time_us"), !current_device().is_simulated);
}

TEST(BenchProgram, PeersMayBeNoneOrManyOrMissing) {
  for (const char* const names : {"", "pq", "pQr", "P"}) {
    const Ended ended =
        run(honest, [names](const Settings&, std::size_t) { return std::make_unique<Recorder>(names); });
    EXPECT_EQ(ended.status, ExitStatus::matches) << ended.errors;
    std::string found;
    for (const auto& peer : ended.report["sizes"][0]["peers"]) {
      found += peer["name"].get<std::string>();
      EXPECT_EQ(peer.contains("missing"), peer["name"].get<std::string>() < "a");
      EXPECT_EQ(peer.contains("error_u"), !peer.contains("missing"));
      EXPECT_EQ(peer.contains("time_us"), !peer.contains("missing") && !current_device().is_simulated);
    }
    EXPECT_EQ(found, names);
  }
}

TEST(BenchProgram, AStageThatIsWrongAsAProgramIsNotEvenMade) {
  const Ended ended = run(
      [](const float*, std::size_t, unsigned, GpuTimer& timer) {
        timer.start();
        timer.stop();
        return 0.0f;
      },
      [](const Settings&, std::size_t) -> std::unique_ptr<Benchmark> { throw std::logic_error("was made"); });
  EXPECT_EQ(ended.status, ExitStatus::does_not_match);
  EXPECT_EQ(ended.report["error_kind"], "does-not-match");
  EXPECT_EQ(ended.errors.rfind("error: with --size 4097 ", 0), 0u) << ended.errors;
}

TEST(BenchProgram, ALaunchThatDoesNotMatchIsNotTimed) {
  const auto make = [](const Settings& settings, std::size_t) {
    auto recorder = std::make_unique<Recorder>();
    if (settings.size() == 2000) recorder->result.stage = not_matching(5.0, "off by 5");
    return recorder;
  };
  const Ended ended = run(honest, make, "1000,2000,3000");
  EXPECT_EQ(ended.status, ExitStatus::does_not_match);
  EXPECT_EQ(ended.report["matches"], false);
  const auto& rows = ended.report["sizes"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["matches"], true);
  EXPECT_EQ(rows[1]["reason"], "off by 5");
  EXPECT_FALSE(rows[1].contains("time_us"));
  EXPECT_EQ(rows[2]["matches"], true);
}

TEST(BenchProgram, ASizeThatFindsNoMemoryIsSkipped) {
  const Ended ended = run(honest, [](const Settings&, std::size_t) -> std::unique_ptr<Benchmark> {
    throw CudaError(cudaErrorMemoryAllocation, "cudaMalloc", "file.cu", 1);
  });
  EXPECT_EQ(ended.status, ExitStatus::matches) << ended.errors;
  EXPECT_EQ(ended.report["sizes"][0]["skipped"].get<std::string>().rfind("needs ", 0), 0u);
}

TEST(BenchProgram, OtherFailuresOfCudaEndIt) {
  const auto failing = [](cudaError_t code) {
    return run(honest, [code](const Settings&, std::size_t) -> std::unique_ptr<Benchmark> {
      throw CudaError(code, "copy", "file.cu", 1);
    });
  };
  const Ended ended = failing(cudaErrorIllegalAddress);
  EXPECT_EQ(ended.status, ExitStatus::device_error);
  EXPECT_EQ(ended.report["error_kind"], "device-error");
  // The mistake is not where the error comes out.
  EXPECT_NE(ended.errors.find("file.cu:1"), std::string::npos) << ended.errors;
  EXPECT_NE(ended.errors.find("a kernel before it failed"), std::string::npos) << ended.errors;
  EXPECT_EQ(failing(cudaErrorInvalidValue).errors.find("kernel"), std::string::npos);
}

TEST(BenchProgram, SettingsThatItCannotServeAreAMistake) {
  const Ended ended = run(honest, [](const Settings&, std::size_t) -> std::unique_ptr<Benchmark> {
    throw std::invalid_argument("--misalign is not for the benchmark");
  });
  EXPECT_EQ(ended.status, ExitStatus::wrong_usage);
  EXPECT_EQ(ended.errors, "error: --misalign is not for the benchmark\n");
}

}  // namespace
}  // namespace workbook
