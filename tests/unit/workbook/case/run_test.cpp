// SPDX-License-Identifier: MIT
// Each way to look right without being right, as a function of its own: all of them must be refused. They need a
// device, for its memory and its clock, but no kernel.
#include "workbook/case/run.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "../fake_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/program/command_line.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

float sum_on_host(const float* input, std::size_t n) {
  return static_cast<float>(reference_statistic<float>(Operation::sum, {{input, n}}).value);
}

RunResult run(const StatisticsProblem& problem, std::size_t n = 1000, Numbers numbers = Numbers::uniform,
              int repeat = 1) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.options["distribution"] = static_cast<double>(numbers);
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {repeat});
}
RunResult run(Reduce reduce, std::size_t n = 1000, Numbers numbers = Numbers::uniform, int repeat = 1) {
  return run(StatisticsProblem(reduce), n, numbers, repeat);
}

void expect_refused(Reduce reduce, const std::string& because) {
  const RunResult result = run(reduce);
  EXPECT_FALSE(result.verdict.matches) << "expected a refusal because: " << because;
  EXPECT_NE(result.verdict.reason.find(because), std::string::npos) << result.verdict.reason;
}

float honest(const float* input, std::size_t n, unsigned, GpuTimer& timer) {
  touch(timer);
  return sum_on_host(input, n);
}

TEST(RunCase, ARightSumMatches) {
  const RunResult result = run(honest, 1000, Numbers::signed_uniform);
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
  EXPECT_EQ(result.settings.sizes, Sizes{1000});
  EXPECT_EQ(result.settings.block.x, 256u);
  EXPECT_EQ(result.description, "Input size: 1000 floats (signed, seed 12345)");
  EXPECT_EQ(result.device.name, current_device().name);
  EXPECT_EQ(result.timed_calls, 1);
  EXPECT_EQ(result.work.elements, 1000.0);
  EXPECT_GE(result.time_ms, 0.0);
  EXPECT_GE(result.cpu_time_ms, 0.0);
  ASSERT_EQ(result.values.size(), 1u);
  EXPECT_EQ(result.values[0].name, "sum");
  EXPECT_EQ(result.values[0].got, static_cast<double>(static_cast<float>(result.values[0].reference)));
}

TEST(RunCase, NanAndInfinityMayBeRight) {
  for (const Numbers numbers : {Numbers::nan, Numbers::infinity, Numbers::infinities}) {
    EXPECT_TRUE(run(honest, 1000, numbers).verdict.matches) << name_of(numbers);
  }
}

// A GPU gets one call more, to warm up.
TEST(RunCase, RepeatTimesThatManyCalls) {
  int calls = 0;
  const FakeProblem problem([&calls](const Settings&, const Call&, GpuTimer& timer) {
    ++calls;
    touch(timer);
    return right();
  });
  const Settings settings = default_settings(Stage{}, problem);
  const RunResult result = run_case(problem, *problem.make_case(settings), settings, current_device(), {3});
  EXPECT_TRUE(result.verdict.matches);
  EXPECT_EQ(result.timed_calls, 3);
  EXPECT_EQ(calls, result.device.is_simulated ? 3 : 4);
}

TEST(RunCase, OneBadCallAmongGoodOnesIsRefused) {
  int calls = 0;
  const FakeProblem problem([&calls](const Settings&, const Call&, GpuTimer& timer) {
    touch(timer);
    return ++calls == 2 ? wrong("the second is bad") : right();
  });
  const Settings settings = default_settings(Stage{}, problem);
  const RunResult result = run_case(problem, *problem.make_case(settings), settings, current_device(), {5});
  EXPECT_FALSE(result.verdict.matches);
  EXPECT_EQ(result.verdict.reason, "the second is bad");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(result.timed_calls, result.device.is_simulated ? 2 : 1);
}

TEST(RunCase, AFirstCallThatIsWrongIsNotTimedOnAGpu) {
  const FakeProblem problem([](const Settings&, const Call&, GpuTimer& timer) {
    touch(timer);
    return wrong("the first is bad");
  });
  const Settings settings = default_settings(Stage{}, problem);
  const RunResult result = run_case(problem, *problem.make_case(settings), settings, current_device(), {5});
  EXPECT_EQ(result.timed_calls, result.device.is_simulated ? 1 : 0);
  EXPECT_GT(result.time_ms, 0.0);
}

TEST(RunCase, EverySecondCallFindsTheOtherPoison) {
  std::vector<int> poisons;
  const FakeProblem problem([&poisons](const Settings&, const Call& call, GpuTimer& timer) {
    poisons.push_back(call.poison);
    touch(timer);
    return right();
  });
  const Settings settings = default_settings(Stage{}, problem);
  const auto seen = [&](unsigned char poison) {
    poisons.clear();
    run_case(problem, *problem.make_case(settings), settings, current_device(), {3, poison});
    poisons.resize(3);
    return poisons;
  };
  EXPECT_EQ(seen(0xFF), (std::vector<int>{0xFF, 0xA5, 0xFF}));
  EXPECT_EQ(seen(0xA5), (std::vector<int>{0xA5, 0xFF, 0xA5}));
  EXPECT_EQ(seen(0x00), (std::vector<int>{0x00, 0xFF, 0x00}));
}

TEST(RunCase, NothingNeedsNoKernelAndNoTimer) {
  const RunResult result = run([](const float*, std::size_t, unsigned, GpuTimer&) { return 0.0f; }, 0);
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
}

TEST(RunCase, AMisusedTimerIsAVerdictThatSaysNothingOfTheResult) {
  struct Row {
    Reduce reduce;
    const char* because;
  };
  const Row table[] = {
      {[](const float* input, std::size_t n, unsigned, GpuTimer&) { return sum_on_host(input, n); },
       "no kernel was timed"},
      {[](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
         timer.start();
         return sum_on_host(input, n);
       },
       "timer.stop() was not"},
      {[](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
         timer.stop();
         return sum_on_host(input, n);
       },
       "without timer.start()"},
      {[](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
         timer.start();
         timer.start();
         return sum_on_host(input, n);
       },
       "called twice"},
  };
  for (const Row& row : table) {
    const RunResult result = run(row.reduce);
    EXPECT_FALSE(result.verdict.matches) << row.because;
    EXPECT_NE(result.verdict.reason.find(row.because), std::string::npos) << result.verdict.reason;
    EXPECT_NE(result.verdict.reason.find("; call start() before the first launch"), std::string::npos);
    EXPECT_TRUE(std::isnan(result.verdict.bound)) << row.because;
  }
}

TEST(RunCase, AChangedInputIsRefusedEvenWithTheRightSum) {
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
  const DeviceArray<float> memory(n);
  return read_back(memory.data());
}

TEST(RunCase, AnOutputThatNobodyWroteIsRefused) { expect_refused(unwritten, "NaN"); }

// The first call leaves its right sum in device memory; the second must not find it there.
TEST(RunCase, TheResultOfTheCallBeforeDoesNotSurvive) {
  const RunResult before = run([](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
    touch(timer);
    const float sum = sum_on_host(input, n);
    const DeviceArray<float> memory(n);
    CUDA_CHECK(cudaMemcpy(memory.data(), &sum, sizeof sum, cudaMemcpyHostToDevice));
    return sum;
  });
  ASSERT_TRUE(before.verdict.matches);
  const RunResult after = run(unwritten);
  EXPECT_FALSE(after.verdict.matches);
  EXPECT_TRUE(std::isnan(after.values.at(0).got)) << after.values.at(0).got;
}

TEST(RunCase, AFailedCallThatNobodyCheckedIsAnError) {
  EXPECT_THROW(run([](const float* input, std::size_t n, unsigned, GpuTimer& timer) {
                 touch(timer);
                 void* memory = nullptr;
                 cudaMalloc(&memory, ~std::size_t{0} / 2);  // fails
                 return sum_on_host(input, n);
               }),
               UncheckedFailure);
}

TEST(RunCase, ACudaErrorAndAnUnsolvedStageReachTheCaller) {
  EXPECT_THROW(run([](const float*, std::size_t, unsigned, GpuTimer&) -> float {
                 CUDA_CHECK(cudaSetDevice(1'000'000));
                 return 0.0f;
               }),
               CudaError);
  cudaGetLastError();  // the failure was wanted
  EXPECT_THROW(run([](const float*, std::size_t, unsigned, GpuTimer&) -> float { WORKBOOK_TODO("all of it"); }),
               Unsolved);
}

// Cases in the order in which they ran, "ROWSxCOLUMNS:BLOCK".
struct Log {
  std::vector<std::string> ran;
  FakeProblem::Function function(const std::string& failing = "") {
    return [this, failing](const Settings& settings, const Call& call, GpuTimer& timer) {
      touch(timer);
      const std::string name = text_of(settings.sizes) + ":" + text_of(call.block);
      if (ran.empty() || ran.back() != name) ran.push_back(name);  // a GPU is called twice
      return name == failing ? wrong("planted") : right();
    };
  }
};

std::vector<Settings> quick_cases(const FakeProblem& problem) {
  return problem.cases(Purpose::quick, default_settings(Stage{}, problem), {{32}, {64}, {128}}, true);
}

TEST(RunCases, ThatDifferInTheirBlockAloneAreMadeOnce) {
  Log log;
  const FakeProblem problem(log.function());
  Settings current;
  const CasesResult result = run_cases(problem, quick_cases(problem), current_device(), {1, 0xFF}, current);
  EXPECT_EQ(result.count, 6u);
  EXPECT_FALSE(result.failed.has_value());
  EXPECT_EQ(log.ran, (std::vector<std::string>{"1x2:32", "1x2:64", "1x2:128", "3x4:32", "3x4:64", "3x4:128"}));
  EXPECT_EQ(problem.made(), 2);
  EXPECT_EQ(text_of(current.sizes), "3x4");

  std::vector<Settings> others(5, default_settings(Stage{}, problem));
  others[1].seed = 1;
  others[2].options["weight"] = 1.5;
  others[3].sizes = {1, 1};
  run_cases(problem, others, current_device(), {1, 0xFF}, current);
  EXPECT_EQ(problem.made(), 2 + 5);
}

TEST(RunCases, BeforeAnUnsolvedStepAreCounted) {
  const FakeProblem problem([](const Settings& settings, const Call&, GpuTimer& timer) -> Outcome {
    touch(timer);
    if (settings.sizes == Sizes{3, 4}) WORKBOOK_TODO("step 2");
    return right();
  });
  Settings current;
  try {
    run_cases(problem, quick_cases(problem), current_device(), {1, 0xFF}, current);
    FAIL() << "step 2 is written";
  } catch (const Unsolved& unsolved) {
    EXPECT_NE(std::string(unsolved.what()).find(": step 2 (3 cases before that match)"), std::string::npos)
        << unsolved.what();
  }
}

TEST(RunCases, StopAtTheFirstThatFails) {
  Log log;
  const FakeProblem problem(log.function("3x4:64"));
  Settings current;
  const CasesResult result = run_cases(problem, quick_cases(problem), current_device(), {1, 0xFF}, current);
  EXPECT_EQ(result.count, 5u);
  ASSERT_TRUE(result.failed.has_value());
  EXPECT_EQ(result.failed->verdict.reason, "planted");
  EXPECT_EQ(command_line(problem, result.failed->settings),
            "--size 3x4 --seed 12345 --block-size 64 --colour green --weight 0.5");
  EXPECT_EQ(log.ran.back(), "3x4:64");
  EXPECT_EQ(command_line(problem, current), command_line(problem, result.failed->settings));
}

TEST(RunCases, HandOnWhetherCallsHaveAStreamOfTheirOwn) {
  for (const bool wanted : {false, true}) {
    const FakeProblem problem([wanted](const Settings&, const Call& call, GpuTimer& timer) {
      touch(timer);
      EXPECT_EQ(call.has_own_stream, wanted);
      return right();
    });
    Settings current;
    run_cases(problem, quick_cases(problem), current_device(), {1, 0xFF, wanted}, current);
  }
}

TEST(RunCases, AnExceptionIsOfTheCurrentOne) {
  const FakeProblem problem([](const Settings& settings, const Call&, GpuTimer& timer) -> Outcome {
    touch(timer);
    if (settings.sizes[0] == 3) throw std::runtime_error("planted");
    return right();
  });
  Settings current;
  EXPECT_THROW(run_cases(problem, quick_cases(problem), current_device(), {1, 0xFF}, current), std::runtime_error);
  EXPECT_EQ(text_of(current.sizes) + ":" + text_of(current.block), "3x4:32");
}

// The library's own host steps: what lies before misaligned numbers is NaN, and the ticket begins at 0.
const float* look_around(float* numbers, std::size_t n, unsigned, const Workspace& workspace) {
  const bool in_order = std::isnan(read_back(numbers - 1)) && read_back(workspace.ticket) == 0 &&
                        reinterpret_cast<std::uintptr_t>(numbers) % 16 == 8;
  std::vector<float> host(n);
  CUDA_CHECK(cudaMemcpy(host.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
  const float sum = in_order ? sum_on_host(host.data(), n) : std::nanf("");
  CUDA_CHECK(cudaMemcpy(workspace.partial_sums, &sum, sizeof sum, cudaMemcpyHostToDevice));
  return workspace.partial_sums;
}

TEST(ReduceOnDevice, FindsTheNumbersWhereTheyAreAskedTo) {
  const StatisticsProblem problem{ReduceOnDevice{&look_around}};
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {1000};
  settings.options["misalign"] = 2.0;
  const RunResult result = run_case(problem, *problem.make_case(settings), settings, current_device(), {1});
  EXPECT_TRUE(result.verdict.matches) << result.verdict.reason;
  EXPECT_TRUE(run(problem, 0).verdict.matches) << "nothing is not given to the function";
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

TEST(ReduceOnDevice, ATicketThatIsNotPutBackIsRefusedEvenWithTheRightSum) {
  const RunResult result = run(StatisticsProblem{ReduceOnDevice{&leaves_the_ticket}});
  EXPECT_FALSE(result.verdict.matches);
  EXPECT_EQ(result.verdict.reason.rfind("the ticket is 3 after the computation, and must be 0", 0), 0u)
      << result.verdict.reason;
  EXPECT_EQ(result.values.at(0).got, static_cast<double>(static_cast<float>(result.values.at(0).reference)));
}

}  // namespace
}  // namespace workbook
