// SPDX-License-Identifier: MIT
// Statistics on the host: the numbers that are made, the references against what a person can compute, and bounds that
// let every sound order pass and the known mistakes not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "workbook/program.h"
#include "workbook/statistics_problem.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename T>
Statistic of(Operation operation, const std::vector<T>& values) {
  return reference_statistic<T>(operation, {{values.data(), values.size()}});
}

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// mt19937 seeded with 12345 begins 3992670690, 3823185381.
TEST(StatisticsInput, BeginsWithTheSameBitsEverywhere) {
  EXPECT_EQ(bits(make_numbers<float>(Numbers::uniform, Operation::sum, 1, 12345)[0]), 0x3f6dfb51u);
  EXPECT_EQ(make_numbers<double>(Numbers::uniform, Operation::sum, 1, 12345)[0],
            static_cast<double>((std::uint64_t{3992670690u} << 32 | 3823185381u) >> 11) * 0x1p-53);
  EXPECT_EQ(make_numbers<int>(Numbers::uniform, Operation::sum, 1, 12345)[0], static_cast<int>(3992670690u));
}

TEST(StatisticsInput, KindsAreWhatTheyAreCalled) {
  for (const Operation operation : {Operation::sum, Operation::maximum}) {
    for (const float x : make_numbers<float>(Numbers::shifted, operation, 1000, 1)) {
      EXPECT_TRUE(x >= 1e6f && x <= 1e6f + 1.0f);
    }
    for (const int x : make_numbers<int>(Numbers::negative, operation, 1000, 1)) EXPECT_LT(x, 0);
    for (const double x : make_numbers<double>(Numbers::negative, operation, 1000, 1)) EXPECT_LE(x, -1.0);
  }
  const std::vector<float> with_nan = make_numbers<float>(Numbers::nan, Operation::sum, 1000, 1);
  EXPECT_EQ(std::count_if(with_nan.begin(), with_nan.end(), [](float x) { return x != x; }), 1);
  EXPECT_EQ(make_numbers<float>(Numbers::infinite, Operation::maximum, 3, 1)[2], -kInfinity);
}

// Products of all, and of every second, third, ... number stay inside what a float can hold, or there would be nothing
// to compare.
TEST(StatisticsInput, NoProductOverflowsOrUnderflows) {
  for (const Numbers numbers : StatisticsProblem::test_numbers) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      const std::vector<float> values = make_numbers<float>(numbers, Operation::product, 1'000'000, seed);
      for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1024}}) {
        double product = 1.0;
        for (std::size_t i = 0; i < values.size(); i += step) product *= static_cast<double>(values[i]);
        EXPECT_TRUE(std::fabs(product) > 1e-37 && std::fabs(product) < 1e38) << name_of(numbers) << " " << step;
      }
    }
  }
}

TEST(StatisticsReference, SmallCasesAreWhatAPersonComputes) {
  const std::vector<double> values{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  EXPECT_EQ(of(Operation::sum, values).value, 40.0);
  EXPECT_EQ(of(Operation::product, values).value, 201'600.0);
  EXPECT_EQ(of(Operation::minimum, values).value, 2.0);
  EXPECT_EQ(of(Operation::maximum, values).value, 9.0);
  EXPECT_EQ(of(Operation::mean, values).value, 5.0);
  EXPECT_EQ(of(Operation::deviation, values).value, 2.0);  // of all that is there: divided by 8, not by 7
}

TEST(StatisticsReference, NoNumbersHaveTheIdentity) {
  EXPECT_EQ(of<float>(Operation::sum, {}).value, 0.0);
  EXPECT_EQ(of<float>(Operation::product, {}).value, 1.0);
  EXPECT_EQ(of<float>(Operation::minimum, {}).value, HUGE_VAL);
  EXPECT_EQ(of<int>(Operation::minimum, {}).value, 2'147'483'647.0);
  EXPECT_EQ(of<double>(Operation::maximum, {}).value, -HUGE_VAL);
  EXPECT_EQ(of<int>(Operation::maximum, {}).value, -2'147'483'648.0);
  EXPECT_TRUE(std::isnan(of<int>(Operation::mean, {}).value));
  EXPECT_TRUE(std::isnan(of<float>(Operation::deviation, {}).value));
}

TEST(StatisticsReference, IntsWrapAround) {
  EXPECT_EQ(of<int>(Operation::sum, {2'147'483'647, 1}).value, -2'147'483'648.0);
  EXPECT_EQ(of<int>(Operation::product, {65'537, 65'537}).value, 131'073.0);
  EXPECT_EQ(of<int>(Operation::mean, {2'147'483'647, 2'147'483'647}).value, 2'147'483'647.0);
}

TEST(StatisticsReference, NanWinsAndInfinitiesFollowIeee) {
  for (const Operation operation : StatisticsProblem::operations) {
    EXPECT_TRUE(std::isnan(of<float>(operation, {1.0f, kNan, 2.0f}).value)) << name_of(operation);
    EXPECT_TRUE(std::isnan(of<float>(operation, {kNan, 1.0f}).value)) << name_of(operation);
  }
  EXPECT_EQ(of<float>(Operation::product, {kInfinity, -2.0f, 3.0f}).value, -HUGE_VAL);
  EXPECT_EQ(of<float>(Operation::mean, {kInfinity, 1.0f}).value, HUGE_VAL);
  EXPECT_TRUE(std::isnan(of<float>(Operation::deviation, {kInfinity, kInfinity}).value));
}

// Adding a constant changes no deviation; the numbers here are exact with it and without it.
TEST(StatisticsReference, ADeviationSurvivesAShift) {
  std::vector<double> near;
  std::vector<double> far;
  for (int i = 0; i < 100'000; ++i) {
    near.push_back(static_cast<double>(i % 17) * 0.25);
    far.push_back(near.back() + 1e9);
  }
  EXPECT_NEAR(of(Operation::deviation, far).value, of(Operation::deviation, near).value, 1e-14);
}

// A long input told by what it repeats is the same as written out.
TEST(StatisticsReference, PiecesAreCountedAsOftenAsTheyAreThere) {
  for (const Operation operation : StatisticsProblem::operations) {
    const std::vector<double> piece = make_numbers<double>(Numbers::signed_uniform, operation, 101, 1);
    const std::vector<double> rest = make_numbers<double>(Numbers::signed_uniform, operation, 13, 2);
    std::vector<double> whole;
    for (int i = 0; i < 3; ++i) whole.insert(whole.end(), piece.begin(), piece.end());
    whole.insert(whole.end(), rest.begin(), rest.end());
    const Statistic pieces =
        reference_statistic<double>(operation, {{piece.data(), piece.size(), 3}, {rest.data(), rest.size()}});
    EXPECT_EQ(pieces.size, whole.size());
    EXPECT_NEAR(pieces.value, of(operation, whole).value, 1e-15) << name_of(operation);
    EXPECT_NEAR(pieces.bound, of(operation, whole).bound, 1e-20) << name_of(operation);
  }
}

TEST(StatisticsBound, IsZeroWhereNoOrderRounds) {
  for (const Operation operation : StatisticsProblem::operations) {
    const bool has_moment = operation == Operation::mean || operation == Operation::deviation;
    EXPECT_EQ(of<float>(operation, {0.1f}).bound, 0.0);
    EXPECT_EQ(of(operation, make_numbers<float>(Numbers::exact, operation, 1000, 1)).bound == 0.0, !has_moment);
    EXPECT_EQ(of(operation, make_numbers<int>(Numbers::uniform, operation, 1000, 1)).bound == 0.0, !has_moment);
  }
  EXPECT_GT(of<float>(Operation::sum, {0.1f, 0.2f}).bound, 0.0);
  EXPECT_GT(of<float>(Operation::product, {0.1f, 0.2f}).bound, 0.0);
}

// count, mean and squares, merged pair by pair as a tree does; Float is what they are kept in.
template <typename Float>
struct Moments {
  Float count = 0, mean = 0, squares = 0;
};
template <typename Float>
Moments<Float> merged(const float* values, std::size_t n) {
  if (n == 1) return {1, static_cast<Float>(values[0]), 0};
  const Moments<Float> a = merged<Float>(values, n / 2);
  const Moments<Float> b = merged<Float>(values + n / 2, n - n / 2);
  const Float count = a.count + b.count;
  const Float distance = b.mean - a.mean;
  return {count, a.mean + distance * b.count / count,
          a.squares + b.squares + distance * distance * a.count * b.count / count};
}
template <typename Float>
double merged_deviation(const std::vector<float>& values) {
  const Moments<Float> all = merged<Float>(values.data(), values.size());
  return std::sqrt(static_cast<double>(all.squares / all.count));
}

double welford_deviation(const std::vector<float>& values) {
  double count = 0.0, mean = 0.0, squares = 0.0;
  for (const double x : values) {
    count += 1.0;
    const double distance = x - mean;
    mean += distance / count;
    squares += distance * (x - mean);
  }
  return std::sqrt(squares / count);
}

double sum_of_squares_deviation(const std::vector<float>& values) {
  double sum = 0.0, squares = 0.0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(values.size());
  return std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
}

TEST(StatisticsBound, LetsMergesPassAndSumsOfSquaresNot) {
  for (const std::size_t n : {std::size_t{1000}, std::size_t{100'003}, std::size_t{1'000'003}}) {
    const std::vector<float> values = make_numbers<float>(Numbers::shifted, Operation::deviation, n, 1);
    const Statistic reference = of(Operation::deviation, values);
    EXPECT_TRUE(check_statistic(merged_deviation<double>(values), reference).matches) << n;
    EXPECT_TRUE(check_statistic(welford_deviation(values), reference).matches) << n;
    EXPECT_FALSE(check_statistic(merged_deviation<float>(values), reference).matches) << n;
  }
  const std::vector<float> values = make_numbers<float>(Numbers::shifted, Operation::deviation, 1'000'003, 1);
  EXPECT_FALSE(check_statistic(sum_of_squares_deviation(values), of(Operation::deviation, values)).matches);
  const std::vector<float> near = make_numbers<float>(Numbers::signed_uniform, Operation::deviation, 100'003, 1);
  EXPECT_TRUE(check_statistic(sum_of_squares_deviation(near), of(Operation::deviation, near)).matches)
      << "around 0 nothing cancels";
}

TEST(StatisticsBound, LetsProductsInAnyOrderPassAndALostFactorNot) {
  const std::vector<float> values = make_numbers<float>(Numbers::uniform, Operation::product, 100'003, 1);
  const Statistic reference = of(Operation::product, values);
  float forwards = 1.0f, backwards = 1.0f;
  for (const float x : values) forwards *= x;
  for (std::size_t i = values.size(); i-- > 0;) backwards *= values[i];
  EXPECT_TRUE(check_statistic(forwards, reference).matches);
  EXPECT_TRUE(check_statistic(backwards, reference).matches);
  const float farthest = *std::max_element(values.begin(), values.end());
  EXPECT_FALSE(check_statistic(reference.value / farthest, reference).matches);
}

TEST(StatisticsCheck, NanMatchesOnlyNan) {
  const Statistic nan = of<float>(Operation::minimum, {1.0f, kNan});
  EXPECT_TRUE(check_statistic(kNan, nan).matches);
  EXPECT_FALSE(check_statistic(1.0, nan).matches);
  for (const Operation operation : StatisticsProblem::operations) {
    const Verdict verdict = check_statistic(kNan, of<float>(operation, {1.0f, 2.0f}));
    EXPECT_FALSE(verdict.matches);
    EXPECT_NE(verdict.reason.find("NaN"), std::string::npos);
  }
  EXPECT_FALSE(check_statistic(1e38, of<float>(Operation::minimum, {})).matches);
  EXPECT_TRUE(check_statistic(kInfinity, of<float>(Operation::minimum, {})).matches);
}

TEST(StatisticsProblem, SettingsAndChoiceAreTheSameThing) {
  const StatisticsChoice choice{Operation::minimum, NumberType::ints, Numbers::negative};
  const Settings settings = StatisticsProblem::settings(choice, 7, 3, 64);
  EXPECT_EQ(StatisticsProblem::choice(settings).operation, Operation::minimum);
  EXPECT_EQ(StatisticsProblem::choice(settings).type, NumberType::ints);
  EXPECT_EQ(StatisticsProblem::choice(settings).numbers, Numbers::negative);
  const StatisticsProblem problem{StatisticFunctions{}};
  for (const OwnOption& option : problem.own_options()) {
    EXPECT_EQ(option.problem_with(option.default_value), "") << option.name;
    EXPECT_EQ(problem.defaults().own.at(option.name), option.default_value);
    EXPECT_NE(option.problem_with("median"), "") << option.name;
  }
  EXPECT_EQ(problem.input_bytes(settings), 28u);
  EXPECT_EQ(problem.input_bytes(StatisticsProblem::settings({Operation::sum, NumberType::doubles}, 7, 3)), 56u);
}

TEST(StatisticsProblem, OtherTasksAreAllThatTheStudentHasWritten) {
  const StatisticsProblem problem{StatisticFunctions{}};
  const Stage stage{8, "any operator", "stages/stage08/todo.cu"};
  const char* arguments[] = {"program", "--block-size", "64", "--operation", "sum"};
  const Options options = std::get<Options>(parse_options(stage, problem, 3, arguments));
  std::set<std::string> operations{options.settings.own.at("operation")}, types{options.settings.own.at("type")};
  for (const Settings& other : options.other_tasks) {
    EXPECT_EQ(other.block_size, 64u);
    operations.insert(other.own.at("operation"));
    types.insert(other.own.at("type"));
  }
  EXPECT_EQ(operations.size(), 6u);
  EXPECT_EQ(types.size(), 3u);
  EXPECT_TRUE(std::get<Options>(parse_options(stage, problem, 5, arguments)).other_tasks.empty())
      << "one of them was asked for by name";
}

}  // namespace
}  // namespace workbook
