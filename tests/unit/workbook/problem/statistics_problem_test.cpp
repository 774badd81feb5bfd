// SPDX-License-Identifier: MIT
// The three forms of the problem: what they let one choose, and what their cases are sure to hold.
#include "workbook/problem/sums/statistics/statistics_problem.h"

#include <gtest/gtest.h>

#include <set>

#include "workbook/program/command_line.h"

namespace workbook {
namespace {

const StatisticsProblem kHost{Reduce{}};
const StatisticsProblem kDevice{ReduceOnDevice{}};
const StatisticsProblem kAny{StatisticFunctions{}};

std::vector<Settings> cases(const StatisticsProblem& problem, Purpose purpose) {
  return problem.cases(purpose, default_settings(Stage{}, problem), problem.block_rule().shapes, true);
}

TEST(StatisticsProblem, EachFormHasItsOptions) {
  const auto names = [](const Problem& problem) {
    std::string text = problem.name();
    for (const Option& option : problem.options()) text += " " + option.name;
    return text;
  };
  EXPECT_EQ(names(kHost), "reduction distribution");
  EXPECT_EQ(names(kDevice), "reduction distribution misalign");
  EXPECT_EQ(names(kAny), "statistics operation type distribution");
}

TEST(StatisticsProblem, WorkIsThatOfTheTypeThatWasChosen) {
  Settings settings = default_settings(Stage{}, kAny);
  settings.sizes = {7};
  const std::pair<NumberType, double> table[] = {
      {NumberType::floats, 28.0}, {NumberType::doubles, 56.0}, {NumberType::ints, 28.0}};
  for (const auto& [type, bytes] : table) {
    settings.options["type"] = static_cast<double>(type);
    EXPECT_EQ(kAny.work(settings).unit, std::string(name_of(type)) + "s");
    EXPECT_EQ(kAny.work(settings).elements, 7.0);
    EXPECT_EQ(kAny.work(settings).bytes_read, bytes);
    EXPECT_GT(kAny.device_bytes(settings), bytes);
  }
}

// Every size, block and kind of number that a mistake may need to show, for each form.
TEST(StatisticsProblem, CasesHoldWhatMistakesNeed) {
  for (const StatisticsProblem* problem : {&kHost, &kDevice, &kAny}) {
    std::set<std::size_t> sizes;
    std::set<Numbers> numbers;
    std::set<std::pair<Operation, NumberType>> tasks;
    std::set<std::size_t> misalignments;
    for (const Purpose purpose : {Purpose::quick, Purpose::hostile}) {
      std::set<unsigned> blocks;
      for (const Settings& settings : cases(*problem, purpose)) {
        const StatisticsChoice choice = StatisticsProblem::choice(settings);
        sizes.insert(settings.size());
        numbers.insert(choice.numbers);
        tasks.insert({choice.operation, choice.type});
        misalignments.insert(choice.misalign);
        blocks.insert(settings.block.x);
      }
      EXPECT_EQ(blocks, (std::set<unsigned>{32, 64, 128, 256, 512, 1024})) << name_of(purpose);
    }
    for (const std::size_t n : Sizes{0, 1, 2, 33, 255, 257, 1003, 1025, 4097}) EXPECT_EQ(sizes.count(n), 1u) << n;
    for (const Numbers kind : {Numbers::exact, Numbers::uniform, Numbers::signed_uniform, Numbers::nan}) {
      EXPECT_EQ(numbers.count(kind), 1u) << name_of(kind);
    }
    EXPECT_EQ(tasks.size(), problem == &kAny ? 18u : 1u);
    EXPECT_EQ(misalignments.size(), problem == &kDevice ? 4u : 1u);
  }
}

// One that is the same but for its block is made once, if it follows.
TEST(StatisticsProblem, CasesThatDifferInTheirBlockAloneFollowEachOther) {
  const std::vector<Settings> quick = cases(kHost, Purpose::quick);
  ASSERT_EQ(quick.size() % 6, 0u);
  for (std::size_t i = 0; i < quick.size(); ++i) EXPECT_EQ(quick[i].sizes, quick[i / 6 * 6].sizes);
}

TEST(StatisticsProblem, LessonIsTheStandardAndABenchmarkIsShortWhereItIsSimulated) {
  const Settings standard = default_settings(Stage{}, kHost);
  EXPECT_EQ(cases(kHost, Purpose::lesson).at(0).sizes, standard.sizes);
  EXPECT_EQ(cases(kHost, Purpose::bench).size(), 1u);
  EXPECT_EQ(kHost.cases(Purpose::bench, standard, {{256}}, false).size(), 11u);
}

}  // namespace
}  // namespace workbook
