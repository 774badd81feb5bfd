// SPDX-License-Identifier: MIT
// What every statistic must do, whichever room it is linked from: all operations, types, sizes, block sizes, seeds and
// kinds of numbers, no numbers at all, NaN and infinities, one bit pattern from many runs, and the lessons' full size.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "stage_test.h"
#include "workbook/statistics_problem.h"

namespace workbook {
namespace {

using P = StatisticsProblem;

const P& problem() { return dynamic_cast<const P&>(this_problem()); }

// Calls visit(choice) with each operation and type, until it returns false.
template <typename Visit>
bool all_choices(Numbers numbers, Visit visit) {
  for (const Operation operation : P::operations) {
    for (const NumberType type : P::types) {
      if (!visit(StatisticsChoice{operation, type, numbers})) return false;
    }
  }
  return true;
}

class Sizes : public testing::TestWithParam<std::size_t> {};

TEST_P(Sizes, MatchWithEveryOperationTypeBlockSizeSeedAndKindOfNumbers) {
  for (const Numbers numbers : P::test_numbers) {
    for (const std::uint32_t seed : P::test_seeds) {
      const bool go_on = all_choices(numbers, [&](const StatisticsChoice& choice) {
        return matches_with_block_sizes(problem(), P::settings(choice, GetParam(), seed), P::test_block_sizes);
      });
      if (!go_on) return;
    }
  }
}

// From two numbers on: see statistics.h for the deviation of one.
TEST(Special, NanAndInfinities) {
  for (const Numbers numbers : {Numbers::nan, Numbers::infinite}) {
    for (const std::size_t size : {std::size_t{2}, std::size_t{33}, std::size_t{4097}, std::size_t{100'003}}) {
      const bool go_on = all_choices(numbers, [&](const StatisticsChoice& choice) {
        return matches_with_block_sizes(problem(), P::settings(choice, size, kDefaultSeed), P::test_block_sizes);
      });
      if (!go_on) return;
    }
  }
}

// Wherever it is: an operator that drops a NaN on one side only passes with many of the seeds.
TEST(Special, NanWinsOnBothSides) {
  for (const Operation operation : {Operation::minimum, Operation::maximum}) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const StatisticsChoice choice{operation, NumberType::floats, Numbers::nan};
      if (!matches(problem(), P::settings(choice, 1000, seed, 64))) return;
    }
  }
}

// The bits of a statistic of numbers that stay on the device, call after call.
template <typename T>
std::set<std::uint64_t> bits_of_calls(Operation operation, std::size_t n, unsigned block_size, int calls) {
  const std::vector<T> host = make_numbers<T>(Numbers::shifted, operation, n, kDefaultSeed);
  const DeviceArray<T> numbers(n);
  CUDA_CHECK(cudaMemcpy(numbers.data(), host.data(), numbers.size_bytes(), cudaMemcpyHostToDevice));
  const StatisticsMemory memory(n, block_size);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < calls; ++i) {
    const StatisticsWorkspace workspace = memory.on(nullptr);
    problem().functions().of<T>()(operation, numbers.data(), n, block_size, workspace);
    std::uint64_t bits = 0;
    CUDA_CHECK(cudaMemcpy(&bits, workspace.result, sizeof bits, cudaMemcpyDeviceToHost));
    seen.insert(bits);
  }
  return seen;
}

TEST(Special, TwoHundredCallsGiveOneBitPattern) {
  for (const Operation operation : P::operations) {
    EXPECT_EQ(bits_of_calls<float>(operation, 100'003, 128, 200).size(), 1u) << name_of(operation);
    EXPECT_EQ(bits_of_calls<double>(operation, 100'003, 128, 200).size(), 1u) << name_of(operation);
  }
}

struct FullSizeRow {
  StatisticsChoice choice;
  std::size_t size;
  unsigned block_size;
};

constexpr std::size_t kFull = P::full_sizes[0];
constexpr std::size_t kAbove = P::full_sizes[1];
// Each operation, type and block size at least once: all combinations would take hours on a simulator.
constexpr FullSizeRow kFullSizeRows[] = {
    {{Operation::sum, NumberType::floats, Numbers::exact}, kAbove, 1024},
    {{Operation::product, NumberType::floats, Numbers::exact}, kAbove, 256},
    {{Operation::minimum, NumberType::doubles, Numbers::signed_uniform}, kFull, 128},
    {{Operation::maximum, NumberType::ints, Numbers::negative}, kAbove, 1024},
    {{Operation::mean, NumberType::ints, Numbers::shifted}, kFull, 256},
    {{Operation::deviation, NumberType::floats, Numbers::shifted}, kAbove, 1024},
    {{Operation::deviation, NumberType::doubles, Numbers::shifted}, kFull, 32},
};

class FullSize : public testing::TestWithParam<FullSizeRow> {};

TEST_P(FullSize, Matches) {
  const FullSizeRow& row = GetParam();
  matches(problem(), P::settings(row.choice, row.size, kDefaultSeed, row.block_size));
}

INSTANTIATE_TEST_SUITE_P(, Sizes, testing::ValuesIn(P::test_sizes),
                         [](const auto& info) { return std::to_string(info.param); });
INSTANTIATE_TEST_SUITE_P(, FullSize, testing::ValuesIn(kFullSizeRows), [](const auto& info) {
  return std::string(name_of(info.param.choice.operation)) + "_" + name_of(info.param.choice.type) + "_" +
         name_of(info.param.choice.numbers);
});

}  // namespace
}  // namespace workbook
