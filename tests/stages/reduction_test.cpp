// SPDX-License-Identifier: MIT
// What every reduction must do, whichever room it is linked from: sums of all sizes, block sizes, seeds and
// distributions of the problem, NaN and infinities, and the full size of the lessons.
#include <gtest/gtest.h>

#include "stage_test.h"
#include "workbook/reduction_problem.h"

namespace workbook {
namespace {

const ReductionProblem& problem() { return dynamic_cast<const ReductionProblem&>(this_problem()); }

class Sizes : public testing::TestWithParam<std::size_t> {};

TEST_P(Sizes, MatchWithEveryBlockSizeSeedAndDistribution) {
  for (const Distribution distribution : ReductionProblem::test_distributions) {
    for (const std::uint32_t seed : ReductionProblem::test_seeds) {
      const Settings settings = ReductionProblem::settings(distribution, GetParam(), seed);
      if (!matches_with_block_sizes(problem(), settings, ReductionProblem::test_block_sizes)) return;
    }
  }
}

TEST(Special, NanAndInfinitiesFollowIeee) {
  for (const Distribution distribution : ReductionProblem::special_distributions) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{33}, std::size_t{4097}, std::size_t{100'003}}) {
      const Settings settings = ReductionProblem::settings(distribution, size, kDefaultSeed);
      if (!matches_with_block_sizes(problem(), settings, ReductionProblem::test_block_sizes)) return;
    }
  }
}

// The same call twice: what the first left in device memory must not be what the second returns.
TEST(Special, TwoInputsOneAfterTheOther) {
  const Settings first = ReductionProblem::settings(Distribution::exact, 4097, 1);
  const Settings second = ReductionProblem::settings(Distribution::exact, 4097, 2);
  const std::vector<float> numbers[] = {make_input(Distribution::exact, 4097, 1),
                                        make_input(Distribution::exact, 4097, 2)};
  ASSERT_NE(reference_sum(numbers[0].data(), 4097).sum, reference_sum(numbers[1].data(), 4097).sum);
  for (int i = 0; i < 2; ++i) {
    if (!matches(problem(), first) || !matches(problem(), second)) return;
  }
}

struct FullSizeRow {
  std::size_t size;
  std::uint32_t seed;
  unsigned block_size;
  Distribution distribution;
};

constexpr std::size_t kFull = ReductionProblem::full_sizes[0];
constexpr std::size_t kAbove = ReductionProblem::full_sizes[1];
// Each block size, each distribution and both sizes once: all combinations would take hours on a simulator.
constexpr FullSizeRow kFullSizeRows[] = {
    {kFull, kDefaultSeed, 256, Distribution::uniform}, {kFull, 1, 1024, Distribution::exact},
    {kAbove, 2, 128, Distribution::signed_uniform},    {kAbove, kDefaultSeed, 32, Distribution::one_hot},
    {kAbove, 1, 256, Distribution::constant},
};

class FullSize : public testing::TestWithParam<FullSizeRow> {};

TEST_P(FullSize, Matches) {
  const FullSizeRow& row = GetParam();
  matches(problem(), ReductionProblem::settings(row.distribution, row.size, row.seed, row.block_size));
}

INSTANTIATE_TEST_SUITE_P(, Sizes, testing::ValuesIn(ReductionProblem::test_sizes),
                         [](const auto& info) { return std::to_string(info.param); });
INSTANTIATE_TEST_SUITE_P(, FullSize, testing::ValuesIn(kFullSizeRows), [](const auto& info) {
  std::string name = std::to_string(info.param.size) + "_" + name_of(info.param.distribution);
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name;
});

}  // namespace
}  // namespace workbook
