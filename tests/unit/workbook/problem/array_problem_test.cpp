// SPDX-License-Identifier: MIT
// The smallest example of a problem: all of its cases on a function that is right, and what is said of those that are
// wrong. The host plays the kernel, on a device's memory.
#include "workbook/problem/array_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/case/run.h"
#include "workbook/problem/array_benchmark.h"
#include "workbook/problem/example/reverse/reverse_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

void store(const std::vector<float>& numbers, float* output) {
  CUDA_CHECK(cudaMemcpy(output, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
}
void reverses(const float* input, float* output, std::size_t n, unsigned, cudaStream_t stream) {
  std::vector<float> numbers = n > 0 ? read_back(input, n, stream) : std::vector<float>{};
  std::reverse(numbers.begin(), numbers.end());
  store(numbers, output);
}
void copies(const float* input, float* output, std::size_t n, unsigned, cudaStream_t stream) {
  store(read_back(input, n, stream), output);
}
void leaves_the_last(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream) {
  reverses(input, output, n, block_size, stream);
  CUDA_CHECK(cudaMemset(output + n - 1, 0, sizeof(float)));
}
void changes_its_input(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream) {
  reverses(input, output, n, block_size, stream);
  CUDA_CHECK(cudaMemset(const_cast<float*>(input), 0, sizeof(float)));
}

Verdict verdict(const ArrayProblem& problem, std::size_t n) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(ArrayProblem, AFunctionThatIsRightMatchesInAllCases) {
  const ArrayProblem problem(reverse_task(reverses));
  const Settings standard = default_settings(Stage{}, problem);
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile}) {
    const std::vector<Settings> cases = problem.cases(purpose, standard, problem.block_rule().shapes, true);
    Settings current;
    const CasesResult result = run_cases(problem, cases, current_device(), {}, current);
    EXPECT_EQ(result.count, cases.size());
    EXPECT_FALSE(result.failed) << result.failed->verdict.reason;
  }
}

TEST(ArrayProblem, AWrongResultSaysWhatEachElementIs) {
  EXPECT_EQ(verdict(ArrayProblem(reverse_task(copies)), 100).reason,
            "100 of 100 elements are wrong; the first is element 0: expected the input's element 99, found the input's "
            "element 0; every element is the input's at the same place in memory");
  const Verdict last = verdict(ArrayProblem(reverse_task(leaves_the_last)), 100);
  EXPECT_EQ(last.wrong, 1u);
  EXPECT_EQ(last.first_index, "element 99");
}

TEST(ArrayProblem, AnInputThatChangesIsAMistake) {
  EXPECT_EQ(verdict(ArrayProblem(reverse_task(changes_its_input)), 100).reason,
            "the input must not change, and its element 0 has");
}

TEST(ArrayBenchmark, ChecksWhatBecomesOfAnInput) {
  const ArrayProblem right(reverse_task(reverses)), wrong(reverse_task(copies)),
      changing(reverse_task(changes_its_input));
  Settings settings = default_settings(Stage{}, right);
  settings.sizes = {100};
  ArrayBenchmark benchmark(right, settings, 3);
  EXPECT_TRUE(benchmark.check(2).stage.matches);
  EXPECT_FALSE(benchmark.is_changed(2));
  EXPECT_EQ(ArrayBenchmark(wrong, settings, 3).check(1).stage.wrong, 100u);
  ArrayBenchmark changed(changing, settings, 3);
  changed.launch(1);
  EXPECT_TRUE(changed.is_changed(1));
  changed.restore();
  EXPECT_FALSE(changed.is_changed(1));
  settings.options["misalign"] = 1.0;
  EXPECT_THROW(ArrayBenchmark(right, settings, 3), std::invalid_argument);
}

// Twice each number, which a function may miss by a hundredth.
TEST(ArrayProblem, FloatsMayDifferByTheirBounds) {
  ArrayTask<float> task{"double", "Doubles numbers.", "floats"};
  task.input = [](std::size_t n, std::uint32_t) { return std::vector<float>(n, 3.0f); };
  task.reference = [](const std::vector<float>& input) { return std::vector<float>(input.size(), 6.0f); };
  task.bounds = [](const std::vector<float>& input) { return std::vector<float>(input.size(), 0.01f); };
  float result = 6.005f;
  task.on_device = [&](const float*, float* output, std::size_t n, unsigned, cudaStream_t) {
    store(std::vector<float>(n, result), output);
  };
  EXPECT_TRUE(verdict(ArrayProblem(task), 33).matches);
  result = 6.02f;
  const Verdict wrong = verdict(ArrayProblem(task), 33);
  EXPECT_EQ(wrong.wrong, 33u);
  EXPECT_EQ(wrong.first_expected, "6");
}

}  // namespace
}  // namespace workbook
