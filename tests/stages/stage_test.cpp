// SPDX-License-Identifier: MIT
// What every stage must do, whichever room its reduce() is linked from: sums of all sizes, block sizes, seeds and
// distributions of the problem, NaN and infinities, and the full size of the lessons. On an unsolved stage the whole
// program ends with status 77, which ctest shows as skipped.
#include <gtest/gtest.h>

#include <iostream>

#include "workbook/program.h"
#include "workbook/reduction.h"

namespace workbook {
namespace {

bool unsolved = false;

// How to see the same on the command line.
std::string replay(const RunResult& result) {
  return std::string(this_stage().source) + " with --size " + std::to_string(result.size) + " --seed " +
         std::to_string(result.seed) + " --block-size " + std::to_string(result.block_size) + " --distribution " +
         name_of(result.distribution);
}

// False: stop, for the stage is unsolved or the device no longer answers.
bool matches(const ReductionCase& reduction_case, unsigned block_size, const Device& device) {
  try {
    // One call, also on a GPU: there is nothing to time here.
    const RunResult result = run_case(reduction_case, &reduce, block_size, device, 1);
    EXPECT_TRUE(result.verdict.matches) << replay(result) << ": " << result.verdict.reason << "; got " << result.gpu_sum
                                        << ", expected " << result.reference.sum;
    return true;
  } catch (const Unsolved& message) {
    if (!unsolved) std::cout << "not solved yet: " << message.what() << "\n";
    unsolved = true;
  } catch (const std::exception& error) {
    ADD_FAILURE() << this_stage().source << " with --size " << reduction_case.values.size() << " --seed "
                  << reduction_case.seed << " --block-size " << block_size << " --distribution "
                  << name_of(reduction_case.distribution) << ": " << error.what();
  }
  return false;
}

class Sizes : public testing::TestWithParam<std::size_t> {};

TEST_P(Sizes, MatchWithEveryBlockSizeSeedAndDistribution) {
  const Device device = current_device();
  for (const Distribution distribution : ReductionProblem::test_distributions) {
    for (const std::uint32_t seed : ReductionProblem::test_seeds) {
      const ReductionCase reduction_case = make_case(distribution, GetParam(), seed);
      for (const unsigned block_size : ReductionProblem::test_block_sizes) {
        if (!matches(reduction_case, block_size, device)) return;
      }
    }
  }
}

TEST(Special, NanAndInfinitiesFollowIeee) {
  const Device device = current_device();
  for (const Distribution distribution : ReductionProblem::special_distributions) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{33}, std::size_t{4097}, std::size_t{100'003}}) {
      const ReductionCase reduction_case = make_case(distribution, size, kDefaultSeed);
      for (const unsigned block_size : ReductionProblem::test_block_sizes) {
        if (!matches(reduction_case, block_size, device)) return;
      }
    }
  }
}

// The same call twice: what the first left in device memory must not be what the second returns.
TEST(Special, TwoInputsOneAfterTheOther) {
  const Device device = current_device();
  const ReductionCase first = make_case(Distribution::exact, 4097, 1);
  const ReductionCase second = make_case(Distribution::exact, 4097, 2);
  ASSERT_NE(first.reference.sum, second.reference.sum);
  for (int i = 0; i < 2; ++i) {
    if (!matches(first, 256, device) || !matches(second, 256, device)) return;
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
  matches(make_case(row.distribution, row.size, row.seed), row.block_size, current_device());
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

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Ask first, with one number: there is no point in making the large inputs for a stage that is not begun.
  try {
    const float one = 1.0f;
    workbook::GpuTimer timer;
    reduce(&one, 1, 256, timer);
  } catch (const workbook::Unsolved& unsolved) {
    std::cout << "not solved yet: " << unsolved.what() << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  } catch (const std::exception&) {
    // The tests below meet it again, and say with what input.
  }
  const int status = RUN_ALL_TESTS();
  // A filter that names nothing must not pass for a success.
  if (status == 0 && testing::UnitTest::GetInstance()->test_to_run_count() == 0) return 2;
  return status == 0 && workbook::unsolved ? static_cast<int>(workbook::ExitStatus::unsolved) : status;
}
