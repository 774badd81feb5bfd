// SPDX-License-Identifier: MIT
// What a program does before and after a run: descriptions, what does not fit, the JSON's place, failures as statuses.
// Nothing here needs a device.
#include "workbook/program/program.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "../fake_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

constexpr Stage kStage{3, "shared memory", "stages/stage03/todo.cu"};
const FakeProblem kFake{[](const Settings&, const Call&, GpuTimer&) { return right(); }};

struct Ended {
  ExitStatus status;
  std::string out;
  std::string err;
};

Ended run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::ostringstream out, err;
  const ExitStatus status = run_program(kStage, kFake, static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {status, out.str(), err.str()};
}

std::string contents(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(ExitStatuses, AreTheDocumentedNumbers) {
  EXPECT_EQ(static_cast<int>(ExitStatus::matches), 0);
  EXPECT_EQ(static_cast<int>(ExitStatus::does_not_match), 1);
  EXPECT_EQ(static_cast<int>(ExitStatus::wrong_usage), 2);
  EXPECT_EQ(static_cast<int>(ExitStatus::device_error), 3);
  EXPECT_EQ(static_cast<int>(ExitStatus::unsolved), 77);
}

TEST(Program, HelpEndsWithSuccess) {
  const Ended ended = run({"--help"});
  EXPECT_EQ(ended.status, ExitStatus::matches);
  EXPECT_EQ(ended.out.rfind("Stage 3: shared memory (stages/stage03/todo.cu). Calls a function of a test.", 0), 0u);
  EXPECT_EQ(ended.err, "");
}

TEST(Program, AMistakeEndsWithTwoAndNothingOnStandardOutput) {
  const Ended ended = run({"--size", "-1", "--json"});
  EXPECT_EQ(ended.status, ExitStatus::wrong_usage);
  EXPECT_EQ(ended.err, "error: --size -1 is negative\n");
  EXPECT_EQ(ended.out, "");
}

// Needs no device, and runs nothing.
TEST(Program, DescribesItsProblem) {
  const Ended ended = run({"--describe"});
  EXPECT_EQ(ended.status, ExitStatus::matches);
  EXPECT_EQ(nlohmann::json::parse(ended.out)["problem"], "fake");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(kFake.made(), 0);
  const std::string file = testing::TempDir() + "description.json";
  EXPECT_EQ(run({"--describe", "--json", file.c_str()}).out, ended.out);
  EXPECT_EQ(contents(file), ended.out);
  std::remove(file.c_str());
}

TEST(Report, GoesToAFileWithTheTextOrInPlaceOfIt) {
  std::ostringstream out, err;
  EXPECT_EQ(report("text\n", "{}\n", {}, ExitStatus::matches, out, err), ExitStatus::matches);
  EXPECT_EQ(out.str(), "text\n");
  out.str("");
  EXPECT_EQ(report("text\n", "{}\n", {true, ""}, ExitStatus::does_not_match, out, err), ExitStatus::does_not_match);
  EXPECT_EQ(out.str(), "{}\n");
  out.str("");
  const std::string file = testing::TempDir() + "report.json";
  std::ofstream(file) << "an older report that was longer";
  EXPECT_EQ(report("text\n", "{}\n", {true, file}, ExitStatus::does_not_match, out, err), ExitStatus::does_not_match);
  EXPECT_EQ(out.str(), "text\n");
  EXPECT_EQ(contents(file), "{}\n");
  EXPECT_FALSE(std::ifstream(file + ".unfinished").good());
  EXPECT_EQ(err.str(), "");
  std::remove(file.c_str());
}

TEST(Report, WithoutAPlaceForTheJsonIsAMistake) {
  for (const std::string& file : {testing::TempDir() + "no_such_folder/report.json", testing::TempDir()}) {
    std::ostringstream out, err;
    EXPECT_EQ(report("text\n", "{}\n", {true, file}, ExitStatus::matches, out, err), ExitStatus::wrong_usage);
    EXPECT_EQ(out.str(), "text\n");
    EXPECT_EQ(err.str().rfind("error: cannot write " + file + ": ", 0), 0u) << err.str();
    EXPECT_EQ(err.str().find('\n'), err.str().size() - 1);
  }
}

TEST(Failure, IsOneLineAndJson) {
  std::ostringstream out, err;
  const Failure failure{ExitStatus::device_error, "f() failed", ""};
  EXPECT_EQ(report_failure(kStage, failure, {true, ""}, out, err), ExitStatus::device_error);
  EXPECT_EQ(err.str(), "error: f() failed\n");
  EXPECT_EQ(nlohmann::json::parse(out.str())["error_kind"], "device-error");
  err.str("");
  report_failure(kStage, {ExitStatus::device_error, "f() failed", "--size 5"}, {}, out, err);
  EXPECT_EQ(err.str(), "error: f() failed\nIn: stages/stage03/todo.cu, with --size 5\n");
}

template <typename Exception>
Failure failure_of(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    return current_failure("--size 5");
  }
}

TEST(Failure, OfEachExceptionHasItsStatus) {
  EXPECT_EQ(failure_of(Unsolved("a.cu", 3, "the kernel")).status, ExitStatus::unsolved);
  EXPECT_EQ(failure_of(Unsolved("a.cu", 3, "the kernel")).message, "a.cu:3: the kernel");
  EXPECT_EQ(failure_of(std::bad_alloc()).status, ExitStatus::wrong_usage);
  EXPECT_EQ(failure_of(std::bad_alloc()).message.rfind("--size 5: ", 0), 0u);
  EXPECT_EQ(failure_of(std::runtime_error("broken")).status, ExitStatus::device_error);
  EXPECT_EQ(failure_of(std::runtime_error("broken")).message, "broken");
  EXPECT_EQ(failure_of(17).status, ExitStatus::device_error);
}

// A call that comes after a failed kernel says so: its own line is not where the mistake is.
TEST(Failure, OfAKernelIsToldFromThatOfACall) {
  const auto message = [](cudaError_t code) { return failure_of(CudaError(code, "f()", "a.cu", 3)).message; };
  EXPECT_NE(message(cudaErrorIllegalAddress).find("a kernel before it failed"), std::string::npos);
  EXPECT_NE(message(cudaErrorLaunchFailure).find("a kernel before it failed"), std::string::npos);
  EXPECT_EQ(message(cudaErrorInvalidValue).find("kernel"), std::string::npos);
}

// A line of the library tells a student nothing: named is the last one of the stage.
TEST(Failure, OfTheLibraryNamesTheStagesLine) {
  check_cuda(cudaSuccess, "cudaGetLastError()", "stages/stage02/todo.cu", 41);
  check_cuda(cudaSuccess, "cudaMalloc()", "common/workbook/case/device_memory.h", 22);
  const auto message = [](cudaError_t code) {
    return failure_of(CudaError(code, "copying a result to the host", "../../common/workbook/case/device_memory.h", 49))
        .message;
  };
  EXPECT_EQ(message(cudaErrorInvalidValue),
            "copying a result to the host failed: cudaErrorInvalidValue (invalid argument). "
            "The last checked call of the stage: stages/stage02/todo.cu:41: cudaGetLastError()");
  EXPECT_EQ(
      message(cudaErrorIllegalAddress),
      "copying a result to the host failed, because a kernel before it failed: cudaErrorIllegalAddress (an illegal "
      "memory access was encountered). A finding of the simulator says where. "
      "The last checked call of the stage: stages/stage02/todo.cu:41: cudaGetLastError()");
}

const StatisticsProblem kSum{Reduce{}};

Settings of_size(std::size_t size) {
  Settings settings = default_settings(kStage, kSum);
  settings.sizes = {size};
  return settings;
}

// 4 bytes a float, 1 for partial sums, and 4,096.
TEST(TooLarge, SaysHowManyBytesAreAskedForAndHowManyThereAre) {
  const Device device{"Simulated GPU (cudasim)", true, 9096, 20'000};
  constexpr std::size_t kPlenty = std::size_t{1} << 40;
  EXPECT_FALSE(too_large(kSum, of_size(0), device, kPlenty).has_value());
  EXPECT_FALSE(too_large(kSum, of_size(1000), device, kPlenty).has_value());
  EXPECT_EQ(too_large(kSum, of_size(1001), device, kPlenty).value_or(""),
            "--size 1001 asks for about 9101 bytes of device memory, and Simulated GPU (cudasim) has 9096 bytes free "
            "of 20000");
}

TEST(TooLarge, KnowsTheHostsMemoryToo) {
  const Device gpu{"NVIDIA H200", false, 100'000, 100'000};
  EXPECT_FALSE(too_large(kSum, of_size(1000), gpu, 18'192).has_value());
  EXPECT_EQ(too_large(kSum, of_size(1000), gpu, 18'191).value_or(""),
            "--size 1000 asks for about 18192 bytes of host memory for the input and its copies, and this machine has "
            "18191");
  const Device simulated{"Simulated GPU (cudasim)", true, 100'000, 100'000};
  EXPECT_TRUE(too_large(kSum, of_size(1000), simulated, 18'192).has_value()) << "its memory is the host's";
}

TEST(TooLarge, DoesNotOverflow) {
  const Device device{"NVIDIA H200", false, std::numeric_limits<std::size_t>::max(), 8000};
  EXPECT_TRUE(too_large(kSum, of_size(std::size_t{1} << 48), device, 1 << 30).has_value());
  Settings settings = default_settings(kStage, kFake);
  settings.sizes = {std::size_t{1} << 32, std::size_t{1} << 31};
  EXPECT_TRUE(too_large(kFake, settings, device, 1 << 30).has_value());
}

}  // namespace
}  // namespace workbook
