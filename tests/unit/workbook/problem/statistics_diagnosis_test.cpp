// SPDX-License-Identifier: MIT
// Functions that lose elements or count them too often, each in a way of its own, and what the verdict says of them.
// They compute on the host, but in device memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "workbook/case/device_memory.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/program/command_line.h"
#include "workbook/student/cuda_check.h"

namespace workbook {
namespace {

// What `problem` tells of itself with n numbers and 32 threads a block.
std::string lead(const StatisticsProblem& problem, std::size_t n, const std::map<std::string, double>& options = {},
                 Numbers numbers = Numbers::exact) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.block = {32, 1, 1};
  settings.options["distribution"] = static_cast<double>(numbers);
  for (const auto& [name, value] : options) settings.options[name] = value;
  return problem.diagnosis(settings, [&settings](Case& one_case) {
    GpuTimer timer;
    return one_case.call({settings.block, 0xFF, false}, timer).values[0].got;
  });
}
std::string lead(Reduce reduce, std::size_t n, Numbers numbers = Numbers::exact) {
  return lead(StatisticsProblem(reduce), n, {}, numbers);
}

TEST(StatisticsDiagnosis, OfASumThatIsRightIsNothing) {
  for (const std::size_t n : {1u, 33u, 3000u}) {
    EXPECT_EQ(
        lead([](const float* x, std::size_t n, unsigned, GpuTimer&) { return std::accumulate(x, x + n, 0.0f); }, n),
        "");
  }
}

TEST(StatisticsDiagnosis, OfWholeBlocksOnly) {
  const Reduce whole_blocks = [](const float* x, std::size_t n, unsigned block, GpuTimer&) {
    return std::accumulate(x, x + n / block * block, 0.0f);
  };
  EXPECT_EQ(
      lead(whole_blocks, 100),
      "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4. Alone, the numbers of block 3 (--size "
      "4) go wrong in the same way: is there a block for so few, and do its threads know where the numbers end?");
  // So many that they are not looked at one by one.
  EXPECT_EQ(lead(whole_blocks, 70'001),
            "17 of the 70001 elements are not in the sum: elements 69984 to 70000, the last 17. Alone, the numbers of "
            "block 2187 (--size 17) go wrong in the same way: is there a block for so few, and do its threads know "
            "where the numbers end?");
}

TEST(StatisticsDiagnosis, OfEveryThreadThatAdds) {
  const Reduce each_thread = [](const float* x, std::size_t n, unsigned block, GpuTimer&) {
    return std::accumulate(x, x + n, 0.0f) * static_cast<float>(block);
  };
  EXPECT_EQ(lead(each_thread, 32), "Every element is counted 32 times, as often as a block has threads.");
  EXPECT_EQ(lead(each_thread, 100),
            "Every element is counted 32 times, as often as a block has threads. Alone, the numbers of block 0 (--size "
            "32) go wrong in the same way: look at what a block does with its numbers.");
}

TEST(StatisticsDiagnosis, OfOneBlockAloneThatIsRight) {
  const Reduce first_block = [](const float* x, std::size_t n, unsigned block, GpuTimer&) {
    return std::accumulate(x, x + std::min<std::size_t>(n, block), 0.0f);
  };
  EXPECT_EQ(lead(first_block, 100),
            "Only 32 of the 100 elements are in the sum: elements 0 to 31, the first 32, as many as a block has "
            "threads. Alone, the numbers of block 1 (--size 32) are added up right: look at the grid, at where a "
            "block's numbers begin, and at the next pass.");
  const Reduce throws_alone = [](const float* x, std::size_t n, unsigned block, GpuTimer&) {
    if (n == 4) throw std::runtime_error("no time left");
    return std::accumulate(x, x + n / block * block, 0.0f);
  };
  EXPECT_EQ(lead(throws_alone, 100), "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4.");
  // Alone something else is lost: then nothing is said of it.
  const Reduce first_half = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::accumulate(x, x + (n + 1) / 2, 0.0f);
  };
  EXPECT_EQ(lead(first_half, 48), "24 of the 48 elements are not in the sum: elements 24 to 47, the last 24.");
}

TEST(StatisticsDiagnosis, OfSharesOfElements) {
  const Reduce average = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::accumulate(x, x + n, 0.0f) / static_cast<float>(n);
  };
  EXPECT_EQ(lead(average, 32), "Every element is counted 0.03125 times.");
  const Reduce difference = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return 2.0f * x[0] - std::accumulate(x, x + n, 0.0f);
  };
  EXPECT_EQ(lead(difference, 10), "9 of the 10 elements are counted -1 times: elements 1 to 9, the last 9.");
}

TEST(StatisticsDiagnosis, OfALastElementThatManyThreadsAdd) {
  const Reduce again = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::accumulate(x, x + n, 99.0f * x[n - 1]);
  };
  EXPECT_EQ(lead(again, 98).find("1 of the 98 elements is counted 100 times: element 97, the last."), 0u);
}

TEST(StatisticsDiagnosis, OfASumThatBeginsWithOne) {
  EXPECT_EQ(
      lead([](const float* x, std::size_t n, unsigned, GpuTimer&) { return std::accumulate(x, x + n, 1.0f); }, 10),
      "Where every number is 0, the sum is 1: something went into it that is none of the numbers.");
}

// Asked with one element at a time they look as if they lost some; but that does not explain the sum.
TEST(StatisticsDiagnosis, OfWhatIsNoSumIsNothing) {
  const Reduce largest = [](const float* x, std::size_t n, unsigned, GpuTimer&) { return *std::max_element(x, x + n); };
  EXPECT_EQ(lead(largest, 10), "");
  const Reduce drops_negative = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::accumulate(x + 1, x + n, 0.0f, [](float sum, float value) { return value > 0.0f ? sum + value : sum; });
  };
  EXPECT_EQ(lead(drops_negative, 33), "");
  static int calls = 0;
  const Reduce changes = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::accumulate(x + calls++ % 2, x + n, 0.0f);
  };
  EXPECT_EQ(lead(changes, 10, Numbers::uniform), "");
  EXPECT_EQ(lead([](const float*, std::size_t, unsigned, GpuTimer&) { return std::nanf(""); }, 10),
            "Where every number is 0, the sum is NaN.");
}

// A sum in two passes over segments of a block. `first_lost` and `blocks_lost`: what each pass leaves out.
template <std::size_t first_lost, std::size_t blocks_lost>
const float* in_two_passes(float* numbers, std::size_t n, unsigned block, const Workspace& workspace) {
  std::vector<float> input(n), sums((n + block - 1) / block);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < n; ++i) sums[i / block] += i % block == first_lost ? 0.0f : input[i];
  CUDA_CHECK(cudaMemcpy(workspace.partial_sums, sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice));
  const float sum = std::accumulate(sums.begin(), sums.end() - blocks_lost, 0.0f);
  CUDA_CHECK(cudaMemcpy(workspace.next_partial_sums, &sum, sizeof sum, cudaMemcpyHostToDevice));
  return workspace.next_partial_sums;
}

TEST(StatisticsDiagnosis, OfPartialSumsSaysInWhichPassItWasLost) {
  EXPECT_EQ(lead(StatisticsProblem(in_two_passes<99, 1>), 100),
            "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4. The partial sums of the blocks "
            "still have what is lost: look at what adds these up.");
  EXPECT_EQ(lead(StatisticsProblem(in_two_passes<30, 0>), 96),
            "3 of the 96 elements are not in the sum: every 32nd element, beginning with 30. The partial sums of the "
            "blocks lack it already: the first lies between elements of block 0.");
  EXPECT_EQ(lead(StatisticsProblem(in_two_passes<0, 0>), 96),
            "3 of the 96 elements are not in the sum: every 32nd element, beginning with 0. The partial sums of the "
            "blocks lack it already.");
  EXPECT_EQ(lead(StatisticsProblem(in_two_passes<99, 0>), 100), "");
  const std::string of_one = lead(StatisticsProblem(in_two_passes<99, 1>), 32);
  EXPECT_NE(of_one.find("The partial sum of the only block still has what is lost"), std::string::npos) << of_one;
}

// Each block adds its segment and `more` numbers of the next one; the last pass counts each of the first `twice` blocks
// twice.
template <std::size_t more, std::size_t twice>
const float* too_often(float* numbers, std::size_t n, unsigned block, const Workspace& workspace) {
  std::vector<float> input(n), sums((n + block - 1) / block);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t b = 0; b < sums.size(); ++b) {
    sums[b] = std::accumulate(&input[b * block], &input[std::min(n, (b + 1) * block + more)], 0.0f);
  }
  CUDA_CHECK(cudaMemcpy(workspace.partial_sums, sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice));
  const float sum = std::accumulate(sums.begin(), sums.end(), std::accumulate(&sums[0], &sums[twice], 0.0f));
  CUDA_CHECK(cudaMemcpy(workspace.next_partial_sums, &sum, sizeof sum, cudaMemcpyHostToDevice));
  return workspace.next_partial_sums;
}

TEST(StatisticsDiagnosis, OfPartialSumsSaysInWhichPassItWasCountedAgain) {
  EXPECT_EQ(
      lead(StatisticsProblem(too_often<1, 0>), 64),
      "1 of the 64 elements is counted 2 times: element 32. Element 32 is in the partial sums of 2 blocks: 0, 1.");
  EXPECT_EQ(lead(StatisticsProblem(too_often<0, 1>), 64),
            "32 of the 64 elements are counted 2 times: elements 0 to 31, the first 32, as many as a block has "
            "threads. The partial sums of the blocks have all of it once: look at what adds these up.");
}

// The sum of a stage that works in place, as in stage 02: what is left of the partial sums then says nothing.
const float* in_place(float* numbers, std::size_t n, unsigned block, const Workspace& workspace) {
  const float* const sum = in_two_passes<99, 1>(numbers, n, block, workspace);
  CUDA_CHECK(cudaMemcpy(numbers, sum, sizeof *sum, cudaMemcpyDeviceToDevice));
  return sum;
}

TEST(StatisticsDiagnosis, OfAStageThatWorksInPlaceAsksForTheBlockAlone) {
  EXPECT_EQ(
      lead(StatisticsProblem(in_place), 100),
      "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4. Alone, the numbers of block 3 (--size "
      "4) go wrong in the same way: is there a block for so few, and do its threads know where the numbers end?");
}

// A statistic of which blocks leave a state: the sum of a segment, as a `State`, with anything else that is in it.
// `first_lost` and `blocks_lost` as above.
template <std::size_t first_lost, std::size_t blocks_lost, typename State, typename T>
void with_states(Operation operation, const T* numbers, std::size_t n, unsigned block,
                 const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  std::vector<State> states((n + block - 1) / block);
  double result = 0.0;
  for (std::size_t i = 0; i < n; ++i) states[i / block].sum += i % block == first_lost ? T{} : input[i];
  for (std::size_t b = 0; b + blocks_lost < states.size(); ++b) result += static_cast<double>(states[b].sum);
  if (operation != Operation::sum) result = reference_statistic<T>(operation, {{input.data(), n}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.partials, states.data(), states.size() * sizeof(State), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}
template <typename T>
struct Alone {
  T sum{};
};
template <typename T>
struct WithCount {
  T sum{};
  T count = T{7};
};
template <typename T>
struct WithGap {
  T sum{};
  T gap{};
};
template <std::size_t first_lost, std::size_t blocks_lost, template <typename> typename State>
std::string lead_of_states(NumberType type, std::size_t n) {
  const StatisticsProblem problem({with_states<first_lost, blocks_lost, State<float>, float>,
                                   with_states<first_lost, blocks_lost, State<double>, double>,
                                   with_states<first_lost, blocks_lost, State<int>, int>});
  return lead(problem, n, {{"operation", static_cast<double>(Operation::sum)}, {"type", static_cast<double>(type)}},
              Numbers::uniform);
}

TEST(StatisticsDiagnosis, OfStatesThatAreNumbersSaysTheFirstBlockToo) {
  const std::string last = "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4.";
  const std::string each = "3 of the 96 elements are not in the sum: every 32nd element, beginning with 30.";
  for (const NumberType type : {NumberType::floats, NumberType::doubles, NumberType::ints}) {
    EXPECT_EQ((lead_of_states<99, 1, Alone>(type, 100)),
              last + " The partial sums of the blocks still have what is lost: look at what adds these up.");
    EXPECT_EQ((lead_of_states<30, 0, Alone>(type, 96)),
              each + " The partial sums of the blocks lack it already: the first lies between elements of block 0.");
    // A state that is more than a number: nobody knows which of its words is what.
    EXPECT_EQ((lead_of_states<99, 1, WithCount>(type, 100)), last);
    EXPECT_EQ((lead_of_states<99, 1, WithGap>(type, 100)), last);
    EXPECT_EQ((lead_of_states<30, 0, WithGap>(type, 96)), each);
  }
}

TEST(StatisticsDiagnosis, AsksForIntegersWhereFractionsAreLost) {
  const Reduce whole = [](const float* x, std::size_t n, unsigned, GpuTimer&) {
    return std::trunc(std::accumulate(x, x + n, 0.0f));
  };
  EXPECT_NE(lead(whole, 7, Numbers::uniform).find("in an integer?"), std::string::npos);
  EXPECT_EQ(lead(whole, 7, Numbers::exact), "") << "these are whole numbers";
}

// The other operations, on all elements but the last, or with a first one that is not there.
template <typename T>
void but_the_last(Operation operation, const T* numbers, std::size_t n, unsigned,
                  const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  const double result = reference_statistic<T>(operation, {{input.data(), n - 1}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}
template <typename T>
void from_zero(Operation operation, const T* numbers, std::size_t n, unsigned, const StatisticsWorkspace& workspace) {
  std::vector<T> input(n + 1);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  const double result = reference_statistic<T>(operation, {{input.data(), n + 1}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}

TEST(StatisticsDiagnosis, OfEachOperationAndType) {
  const StatisticsProblem loses({but_the_last<float>, but_the_last<double>, but_the_last<int>});
  for (const Operation operation : StatisticsProblem::operations) {
    for (const NumberType type : {NumberType::floats, NumberType::doubles, NumberType::ints}) {
      const std::map<std::string, double> options{{"operation", static_cast<double>(operation)},
                                                  {"type", static_cast<double>(type)}};
      EXPECT_EQ(lead(loses, 40, options, Numbers::uniform),
                (operation == Operation::sum ? std::string() : "With --operation sum: ") +
                    "1 of the 40 elements is not in the sum: element 39, the last.")
          << name_of(operation) << " " << name_of(type);
    }
  }
}

TEST(StatisticsDiagnosis, OfManyNumbersAsksForTheirSum) {
  const StatisticsProblem loses({but_the_last<float>, but_the_last<double>, but_the_last<int>});
  EXPECT_EQ(lead(loses, 20'000, {{"operation", static_cast<double>(Operation::deviation)}}, Numbers::uniform),
            "With --operation sum: 1 of the 20000 elements is not in the sum: element 19999, the last.");
}

// The sum is right, the others are not.
template <typename T>
void right_sums(Operation operation, const T* numbers, std::size_t n, unsigned block,
                const StatisticsWorkspace& workspace) {
  if (operation != Operation::sum) return but_the_last(operation, numbers, n, block, workspace);
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  const double result = reference_statistic<T>(operation, {{input.data(), n}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}

TEST(StatisticsDiagnosis, OfOneOperationAlone) {
  const StatisticsProblem problem({right_sums<float>, right_sums<double>, right_sums<int>});
  for (const Operation operation : StatisticsProblem::operations) {
    EXPECT_EQ(lead(problem, 40, {{"operation", static_cast<double>(operation)}}, Numbers::uniform),
              operation == Operation::sum ? ""
                                          : std::string("1 of the 40 elements is not in the ") + name_of(operation) +
                                                ": element 39, the last.");
  }
}

// Loses a NaN, and nothing else.
template <typename T>
void without_nan(Operation operation, const T* numbers, std::size_t n, unsigned, const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  input.erase(std::remove_if(input.begin(), input.end(), [](T number) { return number != number; }), input.end());
  const double result = reference_statistic<T>(operation, {{input.data(), input.size()}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}

TEST(StatisticsDiagnosis, OfANaNThatIsDropped) {
  const StatisticsProblem drops({without_nan<float>, without_nan<double>, without_nan<int>});
  const auto of = [&](Operation operation, Numbers numbers) {
    return lead(drops, 40, {{"operation", static_cast<double>(operation)}}, numbers);
  };
  EXPECT_NE(of(Operation::minimum, Numbers::nan).find("A comparison with a NaN is always false"), std::string::npos);
  EXPECT_NE(of(Operation::maximum, Numbers::nan).find("A comparison with a NaN is always false"), std::string::npos);
  EXPECT_EQ(of(Operation::maximum, Numbers::uniform), "");
  EXPECT_EQ(of(Operation::product, Numbers::nan), "");
}

TEST(StatisticsDiagnosis, OfAnIdentityThatIsNone) {
  const StatisticsProblem begins({from_zero<float>, from_zero<double>, from_zero<int>});
  const auto of = [&](Operation operation) {
    return lead(begins, 40, {{"operation", static_cast<double>(operation)}}, Numbers::uniform);
  };
  EXPECT_EQ(of(Operation::product), "Where every number is 1, the product is 0.");
  EXPECT_EQ(of(Operation::minimum),
            "Where every number is 2, the min is 0: something went into it that is none of the numbers.");
  EXPECT_EQ(of(Operation::maximum),
            "Where every number is -2, the max is 0: something went into it that is none of the numbers.");
  EXPECT_EQ(of(Operation::mean), "Where every number is 1, the mean is 0.975609756.");
  EXPECT_EQ(of(Operation::sum), "");
}

// A deviation of which `step` makes something else; the other operations are right.
template <double (*step)(double deviation, double n), typename T>
void stepped(Operation operation, const T* numbers, std::size_t n, unsigned, const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  double result = reference_statistic<T>(operation, {{input.data(), n}}).value;
  if (operation == Operation::deviation) result = step(result, static_cast<double>(n));
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}
template <double (*step)(double deviation, double n)>
std::string lead_of_deviation(std::size_t n) {
  const StatisticsProblem problem({stepped<step, float>, stepped<step, double>, stepped<step, int>});
  return lead(problem, n, {{"operation", static_cast<double>(Operation::deviation)}}, Numbers::uniform);
}
double squared(double deviation, double) { return deviation * deviation; }
double of_a_sample(double deviation, double n) { return deviation * std::sqrt(n / (n - 1.0)); }
double undivided(double deviation, double n) { return deviation * std::sqrt(n); }
double sum_of_squares(double deviation, double n) { return deviation * deviation * n; }
double nothing(double, double) { return 0.0; }
double twice(double deviation, double) { return 2.0 * deviation; }
// What one deviation is of the other: for 40 numbers that are 1 and 5 in turn, the square.
double square_of_two(double deviation, double) { return std::fabs(deviation - 2.0) < 1e-9 ? 4.0 : 3.0 * deviation; }
double right(double deviation, double) { return deviation; }

TEST(StatisticsDiagnosis, OfADeviationSaysOneThatCanBeComputedByHandAndWhichStepIsMissing) {
  const std::string by_hand = "Where the numbers are 1 and 5 in turn, the deviation is ";
  EXPECT_EQ(lead_of_deviation<squared>(40),
            by_hand + "4, and should be 2. It is the square of what it should be: where is the root?");
  EXPECT_EQ(lead_of_deviation<of_a_sample>(40),
            by_hand + "2.02547873, and should be 2. It is the result of a division by n - 1 instead of n.");
  EXPECT_EQ(lead_of_deviation<of_a_sample>(2), by_hand + "2.82842712, and should be 2.");  // n - 1 is 1
  EXPECT_EQ(lead_of_deviation<undivided>(40),
            by_hand + "12.6491106, and should be 2. It is the result without the division by n.");
  EXPECT_EQ(
      lead_of_deviation<sum_of_squares>(40),
      by_hand +
          "160, and should be 2. It is the sum of the squared distances, without the division by n and the root.");
  EXPECT_EQ(lead_of_deviation<nothing>(2), by_hand + "0, and should be 2.");
  EXPECT_EQ(lead_of_deviation<twice>(40), by_hand + "4, and should be 2.");
  EXPECT_EQ(lead_of_deviation<square_of_two>(40), by_hand + "4, and should be 2.");
  EXPECT_EQ(lead_of_deviation<right>(40), "");
}

template <typename T>
void in_int(Operation operation, const T* numbers, std::size_t n, unsigned, const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  const std::vector<int> ints(input.begin(), input.end());
  const double result = reference_statistic<int>(operation, {{ints.data(), n}}).value;
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}

TEST(StatisticsDiagnosis, OfFloatsThatAreMadeInts) {
  const StatisticsProblem cuts({in_int<float>, in_int<double>, in_int<int>});
  const auto of = [&](NumberType type) {
    return lead(cuts, 40, {{"type", static_cast<double>(type)}}, Numbers::uniform);
  };
  EXPECT_NE(of(NumberType::floats).find("does one become an int?"), std::string::npos);
  EXPECT_EQ(of(NumberType::ints), "");
}

template <typename T>
void in_float(Operation operation, const T* numbers, std::size_t n, unsigned, const StatisticsWorkspace& workspace) {
  std::vector<T> input(n);
  CUDA_CHECK(cudaMemcpy(input.data(), numbers, n * sizeof(T), cudaMemcpyDeviceToHost));
  const double result =
      static_cast<double>(static_cast<float>(reference_statistic<T>(operation, {{input.data(), n}}).value));
  CUDA_CHECK(cudaMemcpy(workspace.result, &result, sizeof result, cudaMemcpyHostToDevice));
}

TEST(StatisticsDiagnosis, AsksForFloatsWhereDoublesAreWanted) {
  const StatisticsProblem rounds({in_float<float>, in_float<double>, in_float<int>});
  const auto of = [&](Operation operation) {
    return lead(rounds, 40, {{"operation", static_cast<double>(operation)}}, Numbers::uniform);
  };
  EXPECT_NE(of(Operation::mean).find("is something computed in float?"), std::string::npos);
  EXPECT_EQ(of(Operation::sum), "");
}

}  // namespace
}  // namespace workbook
