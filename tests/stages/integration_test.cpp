// SPDX-License-Identifier: MIT
// What every stage of the integration must do, whichever room it is linked from: each function with all sizes and block
// sizes, intervals on both sides of 0, reversed and of no width, and as many intervals as the lessons take.
#include <gtest/gtest.h>

#include "stage_test.h"
#include "workbook/integration_problem.h"

namespace workbook {
namespace {

constexpr double kPi = 3.14159265358979323846;

const IntegrationProblem& problem() { return dynamic_cast<const IntegrationProblem&>(this_problem()); }

class Sizes : public testing::TestWithParam<std::size_t> {};

// From -0.3: neither 0 nor the width of an interval hides an index or a rounding.
TEST_P(Sizes, MatchWithEveryBlockSizeAndFunction) {
  for (const Function function : IntegrationProblem::functions) {
    const Settings settings = IntegrationProblem::settings(function, -0.3, 1.1, GetParam());
    if (!matches_with_block_sizes(problem(), settings, IntegrationProblem::test_block_sizes)) return;
  }
}

struct Interval {
  double from;
  double to;
};

constexpr Interval kIntervals[] = {
    {0.0, 1.0},        {1.0, 0.0},        // the integral changes its sign
    {2.0, 2.0},        {-2.0, 2.0},       // 0; for the sine too, but by cancellation
    {-7.5, -3.1},      {0.0, 2.0 * kPi},  // a whole period: all that is left are rounding errors
    {1e5, 1e5 + 1e-3}, {-1e6, 1e6},       // points whose own rounding counts
    {0.0, 1e-12},      {26.0, 27.0},      // values so small that they have fewer bits, if they are any
};

TEST(Intervals, MatchWithEveryFunction) {
  constexpr std::array<unsigned, 3> kBlockSizes{2, 32, 256};
  for (const Interval& interval : kIntervals) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{33}, std::size_t{4099}}) {
      for (const Function function : IntegrationProblem::functions) {
        const Settings settings = IntegrationProblem::settings(function, interval.from, interval.to, size);
        if (!matches_with_block_sizes(problem(), settings, kBlockSizes)) return;
      }
    }
  }
}

// The same call twice, and another between them: what one leaves in device memory must not be counted by the next.
TEST(Intervals, OneAfterTheOther) {
  const Settings first = IntegrationProblem::settings(Function::square, 0.0, 3.0, 1000);
  const Settings second = IntegrationProblem::settings(Function::square, 0.0, 2.0, 1000);
  for (int i = 0; i < 2; ++i) {
    if (!matches(problem(), first) || !matches(problem(), second)) return;
  }
}

struct FullSizeRow {
  std::size_t size;
  unsigned block_size;
  Function function;
};

constexpr FullSizeRow kFullSizeRows[] = {
    {1'000'003, 2, Function::arc},
    {1'000'003, 1024, Function::bell},
    {IntegrationProblem::default_size, 256, Function::square},
};

class FullSize : public testing::TestWithParam<FullSizeRow> {};

TEST_P(FullSize, Matches) {
  const FullSizeRow& row = GetParam();
  matches(problem(), IntegrationProblem::settings(row.function, 0.0, 1.1, row.size, row.block_size));
}

INSTANTIATE_TEST_SUITE_P(, Sizes, testing::ValuesIn(IntegrationProblem::test_sizes),
                         [](const auto& info) { return std::to_string(info.param); });
INSTANTIATE_TEST_SUITE_P(, FullSize, testing::ValuesIn(kFullSizeRows), [](const auto& info) {
  return std::to_string(info.param.size) + "_" + name_of(info.param.function);
});

}  // namespace
}  // namespace workbook
