// SPDX-License-Identifier: MIT
// Each way to look right without being right, as a reduce() of its own: all of them must be refused. They need a
// device, for its memory and its clock, but no kernel.
#include "workbook/run.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "workbook/cuda_check.h"
#include "workbook/reduction_problem.h"
#include "workbook/todo.h"

namespace workbook {
namespace {

float sum_on_host(const float* input, std::size_t n) { return static_cast<float>(reference_sum(input, n).sum); }

void touch(GpuTimer& timer) {
  timer.start();
  timer.stop();
}

RunResult run(ReduceFunction reduce, std::size_t n = 1000, Distribution distribution = Distribution::uniform,
              int repeat = 1) {
  const Settings settings = ReductionProblem::settings(distribution, n, kDefaultSeed, 256);
  return run_case(*ReductionProblem(std::move(reduce)).make_case(settings), settings, current_device(), repeat);
}

void expect_refused(ReduceFunction reduce, const std::string& because) {
  const RunResult result = run(reduce);
  EXPECT_FALSE(result.verdict.matches) << "expected a refusal because: " << because;
  EXPECT_NE(result.verdict.reason.find(because), std::string::npos) << result.verdict.reason;
}

float honest(const float* input, std::size_t n, unsigned, GpuTimer& timer) {
  touch(timer);
  return sum_on_host(input, n);
}

TEST(Run, ARightSumMatches) {
  const RunResult result = run(honest, 1000, Distribution::signed_uniform);
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
  EXPECT_EQ(result.settings.size, 1000u);
  EXPECT_EQ(result.settings.block_size, 256u);
  EXPECT_EQ(result.description, "Input size: 1000 elements (signed, seed 12345)");
  EXPECT_EQ(result.device.name, current_device().name);
  EXPECT_EQ(result.timed_calls, 1);
  EXPECT_GE(result.time_ms, 0.0);
  ASSERT_EQ(result.values.size(), 1u);
  EXPECT_EQ(result.values[0].name, "sum");
  EXPECT_EQ(result.values[0].got, static_cast<float>(result.values[0].reference));
}

TEST(Run, NanAndInfinityMayBeRight) {
  EXPECT_TRUE(run(honest, 1000, Distribution::nan).verdict.matches);
  EXPECT_TRUE(run(honest, 1000, Distribution::infinity).verdict.matches);
  EXPECT_TRUE(run(honest, 1000, Distribution::infinities).verdict.matches);
}

TEST(Run, RepeatTimesThatManyCalls) {
  static int calls;
  calls = 0;
  const RunResult result = run(
      [](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
        ++calls;
        touch(timer);
        return sum_on_host(input, n);
      },
      100, Distribution::uniform, 3);
  EXPECT_EQ(result.timed_calls, 3);
  EXPECT_EQ(calls, result.device.is_simulated ? 3 : 4);  // a GPU gets one call to warm up
}

TEST(Run, OneBadCallAmongGoodOnesIsRefused) {
  static int calls;
  calls = 0;
  const RunResult result = run(
      [](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
        touch(timer);
        return ++calls == 2 ? 0.0f : sum_on_host(input, n);
      },
      100, Distribution::uniform, 5);
  EXPECT_FALSE(result.verdict.matches);
  EXPECT_EQ(calls, 2);
}

TEST(Run, NothingNeedsNoKernelAndNoTimer) {
  const RunResult result = run([](const float*, std::size_t, unsigned, GpuTimer&) { return 0.0f; }, 0);
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
}

TEST(Run, ARightSumWithoutATimedKernelIsRefused) {
  expect_refused([](const float* input, std::size_t n, unsigned, GpuTimer&) { return sum_on_host(input, n); },
                 "no kernel was timed");
  expect_refused(
      [](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
        timer.start();
        return sum_on_host(input, n);
      },
      "timer.stop() was not");
  expect_refused(
      [](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
        timer.stop();
        return sum_on_host(input, n);
      },
      "without timer.start()");
}

TEST(Run, AChangedInputIsRefusedEvenWithTheRightSum) {
  expect_refused(
      [](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
        touch(timer);
        const float sum = sum_on_host(input, n);
        const_cast<float*>(input)[17] = 0.5f;
        return sum;
      },
      "first at element 17");
}

// Returns what device memory holds where a sum should have been written, and was not.
float unwritten(const float*, std::size_t n, unsigned, GpuTimer& timer) {
  touch(timer);
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, n * sizeof(float)));
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpy(&sum, memory, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(memory));
  return sum;
}

TEST(Run, AnOutputThatNobodyWroteIsRefused) { expect_refused(unwritten, "NaN"); }

// The first call leaves its right sum in device memory; the second must not find it there.
TEST(Run, TheResultOfTheCallBeforeDoesNotSurvive) {
  const RunResult before = run([](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
    touch(timer);
    void* memory = nullptr;
    const float sum = sum_on_host(input, n);
    CUDA_CHECK(cudaMalloc(&memory, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(memory, &sum, sizeof sum, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaFree(memory));
    return sum;
  });
  ASSERT_TRUE(before.verdict.matches);
  const RunResult after = run(unwritten);
  EXPECT_FALSE(after.verdict.matches);
  EXPECT_TRUE(std::isnan(after.values.at(0).got)) << after.values.at(0).got;
}

TEST(Run, AFailedCallThatNobodyCheckedIsAnError) {
  EXPECT_THROW(run([](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
                 touch(timer);
                 void* memory = nullptr;
                 cudaMalloc(&memory, ~std::size_t{0} / 2);  // fails
                 return sum_on_host(input, n);
               }),
               UncheckedFailure);
}

TEST(Run, ACudaErrorAndAnUnsolvedStageReachTheCaller) {
  EXPECT_THROW(run([](const float*, std::size_t, unsigned, GpuTimer&) -> float {
                 CUDA_CHECK(cudaSetDevice(1'000'000));
                 return 0.0f;
               }),
               CudaError);
  cudaGetLastError();  // the failure was wanted
  EXPECT_THROW(run([](const float*, std::size_t, unsigned, GpuTimer&) -> float { WORKBOOK_TODO("all of it"); }),
               Unsolved);
}

TEST(Run, ACaseIsItsDistributionSeedAndReference) {
  const ReductionCase reduction_case(honest, Distribution::exact, 500, 9);
  EXPECT_EQ(reduction_case.values(), make_input(Distribution::exact, 500, 9));
  EXPECT_EQ(reduction_case.reference().sum, reference_sum(reduction_case.values().data(), 500).sum);
  EXPECT_GE(reduction_case.cpu_time_ms(), 0.0);
}

// The library's own host steps: what lies before misaligned numbers is NaN, and the ticket begins at 0.
const float* look_around(float* numbers, std::size_t n, unsigned, const Workspace& workspace) {
  float before = 0.0f;
  unsigned ticket = 1;
  CUDA_CHECK(cudaMemcpy(&before, numbers - 1, sizeof before, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&ticket, workspace.ticket, sizeof ticket, cudaMemcpyDeviceToHost));
  const bool in_order = std::isnan(before) && ticket == 0 && reinterpret_cast<std::uintptr_t>(numbers) % 16 == 8;
  const float sum = in_order ? static_cast<float>(n) : -1.0f;
  CUDA_CHECK(cudaMemcpy(workspace.partial_sums, &sum, sizeof sum, cudaMemcpyHostToDevice));
  return workspace.partial_sums;
}

TEST(Run, HostStepsPlaceTheNumbersWhereTheyAreAskedTo) {
  const std::vector<float> ones(100, 1.0f);
  GpuTimer timer;
  EXPECT_EQ(reduce_with_host_steps(look_around, ones.data(), ones.size(), 32, 2, timer).sum, 100.0f);
  EXPECT_EQ(timer.interval_count(), 1u);
  EXPECT_EQ(reduce_with_host_steps(look_around, nullptr, 0, 32, 0, timer).sum, 0.0f);
}

const float* leaves_the_ticket(float* numbers, std::size_t n, unsigned, const Workspace& workspace) {
  std::vector<float> host(n);
  CUDA_CHECK(cudaMemcpy(host.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
  const float sum = sum_on_host(host.data(), n);
  const unsigned ticket = 3;
  CUDA_CHECK(cudaMemcpy(workspace.partial_sums, &sum, sizeof sum, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(workspace.ticket, &ticket, sizeof ticket, cudaMemcpyHostToDevice));
  return workspace.partial_sums;
}

TEST(Run, ATicketThatIsNotPutBackIsRefusedEvenWithTheRightSum) {
  const ReductionProblem problem{ReduceOnDevice(&leaves_the_ticket)};
  Settings settings = problem.defaults();
  settings.size = 1000;
  const RunResult result = run_case(*problem.make_case(settings), settings, current_device(), 1);
  EXPECT_FALSE(result.verdict.matches);
  EXPECT_EQ(result.verdict.reason.rfind("the ticket is 3 ", 0), 0u) << result.verdict.reason;
  EXPECT_EQ(result.values.at(0).got, static_cast<float>(result.values.at(0).reference));
}

}  // namespace
}  // namespace workbook
