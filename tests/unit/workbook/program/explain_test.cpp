// SPDX-License-Identifier: MIT
// What becomes of a case that does not match: a smaller one, and sentences on more elements than that has.
#include "workbook/program/explain.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <stdexcept>

#include "../fake_problem.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

RunResult explained(const Problem& problem, const Sizes& sizes, Settings& current,
                    const std::map<std::string, double>& options = {}) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = sizes;
  for (const auto& [name, value] : options) settings.options[name] = value;
  const Device device = current_device();
  const RunResult failed = run_case(problem, *problem.make_case(settings), settings, device, {1});
  EXPECT_FALSE(failed.verdict.matches);
  return explain(problem, failed, problem.block_rule(), 0xFF, current);
}

TEST(Explain, FindsTheSmallestCaseAndLooksAtMoreElements) {
  const StatisticsProblem whole_blocks([](const float* x, std::size_t n, unsigned block, GpuTimer& timer) {
    touch(timer);
    return std::accumulate(x, x + (n < block ? n : n / block * block), 0.0f);
  });
  Settings current;
  const RunResult found = explained(whole_blocks, {1003}, current);
  EXPECT_EQ(found.settings.sizes, Sizes{33});
  EXPECT_EQ(found.settings.block.x, 32u);
  EXPECT_EQ(found.diagnosis,
            "1 of the 33 elements is not in the sum: element 32, the last. Alone, the numbers of block 1 (--size 1) "
            "are added up right: look at the grid, at where a block's numbers begin, and at the next pass.\n"
            "With --size 100: 4 of the 100 elements are not in the sum: elements 96 to 99, the last 4. Alone, the "
            "numbers of block 3 (--size 4) are added up right: look at the grid, at where a block's numbers begin, and "
            "at the next pass.");
}

TEST(Explain, WhereAllIsLostLooksAtStillMoreElements) {
  const StatisticsProblem behind_two_blocks([](const float* x, std::size_t n, unsigned block, GpuTimer& timer) {
    touch(timer);
    return n < 2 * block ? 0.0f : std::accumulate(x + 2 * block, x + n, 0.0f);
  });
  Settings current;
  const std::string lead = explained(behind_two_blocks, {1003}, current).diagnosis;
  EXPECT_NE(lead.find("With --size 515: 64 of the 515 elements are not in the sum"), std::string::npos) << lead;
}

TEST(Explain, OfAnotherProblemHasNoLead) {
  const FakeProblem problem([](const Settings& settings, const Call&, GpuTimer& timer) {
    touch(timer);
    return settings.sizes[0] >= 5 && settings.sizes[1] >= 7 ? wrong("planted") : right();
  });
  Settings current;
  const RunResult found = explained(problem, {20, 30}, current);
  EXPECT_EQ(found.settings.sizes, (Sizes{5, 7}));
  EXPECT_EQ(found.verdict.reason, "planted");
  EXPECT_EQ(found.diagnosis, "");
}

TEST(Explain, KeepsThePatternOfALargeArray) {
  const FakeProblem problem([](const Settings& settings, const Call&, GpuTimer& timer) {
    touch(timer);
    Outcome outcome = wrong("planted in " + text_of(settings.sizes));
    outcome.verdict.pattern = settings.sizes[1] > 3 ? "the last column" : "all";
    return outcome;
  });
  Settings current;
  EXPECT_EQ(explained(problem, {20, 30}, current).diagnosis, "With --size 20x30 --block-size 64: planted in 20x30");
  EXPECT_EQ(explained(problem, {20, 30}, current, {{"colour", 0.0}, {"weight", 2.0}}).diagnosis,
            "With --size 20x30 --block-size 64 -- --colour red --weight 2: planted in 20x30");
}

TEST(Explain, TakesTheSmallestCaseThatHasThePatternWhereASmallerOneHasNone) {
  const auto problem = [](const char* pattern_of_few) {
    return FakeProblem([pattern_of_few](const Settings& settings, const Call&, GpuTimer& timer) {
      touch(timer);
      Outcome outcome = wrong("planted");
      outcome.verdict.pattern = settings.sizes[1] > 6 ? "they fall" : pattern_of_few;
      return outcome;
    });
  };
  Settings current;
  const RunResult found = explained(problem(""), {20, 30}, current);
  EXPECT_EQ(found.settings.sizes[1], 7u);
  EXPECT_EQ(found.verdict.pattern, "they fall");
  EXPECT_EQ(found.diagnosis, "");
  const RunResult alike = explained(problem("they fall"), {20, 30}, current);
  EXPECT_EQ(alike.settings.sizes, (Sizes{1, 1}));
  EXPECT_EQ(alike.diagnosis, "");  // it would say the same
}

TEST(Explain, LetsTheErrorOfASmallerCaseThroughAndSaysWhichItIs) {
  const FakeProblem problem([](const Settings& settings, const Call&, GpuTimer& timer) {
    touch(timer);
    if (settings.sizes[0] == 3) throw std::runtime_error("planted");
    return settings.sizes[0] > 3 ? wrong("planted") : right();
  });
  Settings current;
  EXPECT_THROW(explained(problem, {20, 30}, current), std::runtime_error);
  EXPECT_EQ(current.sizes, (Sizes{3, 3}));
}

}  // namespace
}  // namespace workbook
