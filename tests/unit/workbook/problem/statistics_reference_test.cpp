// SPDX-License-Identifier: MIT
// The references against what a person can compute, and bounds that let every sound order of operations pass and the
// known mistakes not: NaN, values that nobody wrote, one element lost.
#include "workbook/problem/sums/statistics/statistics_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "workbook/problem/sums/statistics/statistics_input.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array kOperations{Operation::sum,     Operation::product, Operation::minimum,
                                 Operation::maximum, Operation::mean,    Operation::deviation};

template <typename T>
Statistic of(Operation operation, const std::vector<T>& values) {
  return reference_statistic<T>(operation, {{values.data(), values.size()}});
}
Statistic sum_of(const std::vector<float>& values) { return of(Operation::sum, values); }

std::vector<float> floats(Numbers numbers, std::size_t n, Operation operation = Operation::sum) {
  return make_numbers<float>(numbers, operation, n, 12345);
}

TEST(Sum, NothingSumsToZeroOnly) {
  const Statistic nothing = reference_statistic<float>(Operation::sum, {});
  EXPECT_EQ(nothing.value, 0.0);
  EXPECT_EQ(nothing.size, 0u);
  EXPECT_TRUE(check_statistic(0.0, nothing).matches);
  EXPECT_FALSE(check_statistic(static_cast<double>(std::numeric_limits<float>::denorm_min()), nothing).matches);
}

TEST(Sum, AddsAndCountsMagnitudes) {
  const Statistic sum = sum_of({1.5f, -2.25f, 0.5f});
  EXPECT_EQ(sum.value, -0.25);
  EXPECT_EQ(sum.unit, 4.25 * 0x1p-24);
  EXPECT_EQ(sum.size, 3u);
}

// A plain sum in double loses the ones: 1e25 has no bit left for them. Kahan's variant loses them as well.
TEST(Sum, CompensatesWhatADoubleSumLoses) {
  const float big = 1e25f;
  double plain = 0.0;
  for (const float x : {1.0f, big, 1.0f, -big}) plain += static_cast<double>(x);
  EXPECT_EQ(plain, 0.0);
  EXPECT_EQ(sum_of({1.0f, big, 1.0f, -big}).value, 2.0);
}

TEST(Sum, OfFloatsInSequenceIsFarOff) {
  const std::vector<float> values(1 << 24, 0.1f);
  float in_float = 0.0f;
  for (const float x : values) in_float += x;
  const double exact = static_cast<double>(0.1f) * (1 << 24);  // a product by a power of two: exact
  const Statistic sum = sum_of(values);
  EXPECT_EQ(sum.value, exact);
  EXPECT_GT(std::fabs(static_cast<double>(in_float) - exact) / exact, 0.1);
  EXPECT_FALSE(check_statistic(static_cast<double>(in_float), sum).matches);
}

TEST(Sum, FollowsIeeeForNanAndInfinity) {
  EXPECT_TRUE(std::isnan(sum_of({1.0f, kNan, 2.0f}).value));
  EXPECT_EQ(sum_of({1.0f, kInfinity, 2.0f, 3.0f}).value, HUGE_VAL);
  EXPECT_EQ(sum_of({1.0f, -kInfinity, 2.0f}).value, -HUGE_VAL);
  EXPECT_TRUE(std::isnan(sum_of({kInfinity, 1.0f, -kInfinity}).value));
}

TEST(Sum, KnowsWhatNoOrderRounds) {
  EXPECT_EQ(sum_of({-1.0f, 0.0f, 1.0f, 3.0f}).bound, 0.0);
  EXPECT_GT(sum_of({1.0f, 0.5f}).bound, 0.0);
  EXPECT_EQ(sum_of({0x1p23f, -0x1p23f}).bound, 0.0);        // magnitudes add up to 2^24, where floats hold all integers
  EXPECT_GT(sum_of({0x1p23f, -0x1p23f, 1.0f}).bound, 0.0);  // one more, and an order may round
  EXPECT_EQ(sum_of(floats(Numbers::exact, 16'777'219)).bound, 0.0);
}

TEST(SumBound, DepthIsATreeAndSomeSerialAdditionsButNeverMoreThanAllOfThem) {
  EXPECT_EQ(addition_depth(0), 0);
  EXPECT_EQ(addition_depth(1), 0);
  EXPECT_EQ(addition_depth(2), 1);
  EXPECT_EQ(addition_depth(33), 32);
  EXPECT_EQ(addition_depth(1024), 10 + kSerialAdditions);
  EXPECT_EQ(addition_depth(1025), 11 + kSerialAdditions);
  EXPECT_EQ(addition_depth(16'777'216), 24 + kSerialAdditions);
  EXPECT_EQ(addition_depth(std::numeric_limits<std::size_t>::max()), 64 + kSerialAdditions);
}

TEST(SumBound, ScalesWithMagnitudesNotWithTheSum) {
  const std::vector<float> one_sign(1024, 0.3f);
  std::vector<float> both_signs = one_sign;
  for (std::size_t i = 0; i < both_signs.size(); i += 2) both_signs[i] = -0.3f;
  const double magnitudes = 1024 * static_cast<double>(0.3f);
  EXPECT_DOUBLE_EQ(sum_of(one_sign).bound, 2.0 * 74.0 * 0x1p-24 * magnitudes);
  EXPECT_EQ(sum_of(both_signs).value, 0.0);
  EXPECT_EQ(sum_of(both_signs).bound, sum_of(one_sign).bound);
}

TEST(SumBound, JustInsideMatchesAndJustOutsideDoesNot) {
  // n = 2: depth 1, bound 2 * 2^-24 * 2^20 = 0.125, and floats near 2^20 are 0.125 apart (0.0625 below it).
  const Statistic sum = sum_of({0x1p20f - 0.5f, 0.5f});
  EXPECT_EQ(sum.bound, 0.125);
  EXPECT_TRUE(check_statistic(0x1p20 + 0.125, sum).matches);
  EXPECT_FALSE(check_statistic(0x1p20 + 0.25, sum).matches);
  EXPECT_TRUE(check_statistic(0x1p20 - 0.125, sum).matches);
  EXPECT_FALSE(check_statistic(0x1p20 - 0.1875, sum).matches);
}

// One element of 2^24 is far below the rounding error of uniform data; exact data finds it.
TEST(SumBound, ExactDataFindsOneLostElementAmongMillions) {
  const Statistic sum = sum_of(floats(Numbers::exact, 16'777'216));
  EXPECT_TRUE(check_statistic(sum.value, sum).matches);
  EXPECT_FALSE(check_statistic(sum.value + 1.0, sum).matches);
  EXPECT_FALSE(check_statistic(sum.value - 1.0, sum).matches);
}

TEST(SumBound, OneHotFindsALostAndADoubledElement) {
  const Statistic sum = sum_of(floats(Numbers::one_hot, 100'000));
  EXPECT_TRUE(check_statistic(1.0, sum).matches);
  EXPECT_FALSE(check_statistic(0.0, sum).matches);
  EXPECT_FALSE(check_statistic(2.0, sum).matches);
}

TEST(SumBound, UniformFindsALostBlockOf256) {
  const std::vector<float> values = floats(Numbers::uniform, 16'777'216);
  const Statistic sum = sum_of(values);
  const double block = std::accumulate(values.begin(), values.begin() + 256, 0.0);
  EXPECT_TRUE(check_statistic(static_cast<double>(static_cast<float>(sum.value)), sum).matches);
  EXPECT_FALSE(check_statistic(sum.value - block, sum).matches);
}

// The order of additions of a kernel with `threads` threads that add `factor` numbers each, then a tree, then again.
float sum_as_a_kernel(std::vector<float> values, std::size_t threads, std::size_t factor) {
  while (values.size() > 1) {
    const std::size_t segment = threads * factor;
    std::vector<float> sums((values.size() + segment - 1) / segment);
    for (std::size_t block = 0; block < sums.size(); ++block) {
      std::vector<float> partial(threads, 0.0f);
      for (std::size_t i = 0; i < segment && block * segment + i < values.size(); ++i) {
        partial[i % threads] += values[block * segment + i];
      }
      for (std::size_t stride = threads / 2; stride > 0; stride /= 2) {
        for (std::size_t i = 0; i < stride; ++i) partial[i] += partial[i + stride];
      }
      sums[block] = partial[0];
    }
    values = sums;
  }
  return values[0];
}

TEST(SumBound, EveryReasonableOrderOfAdditionsMatches) {
  for (const Numbers numbers : {Numbers::uniform, Numbers::signed_uniform, Numbers::constant}) {
    const std::vector<float> values = floats(numbers, 1'000'003);
    const Statistic sum = sum_of(values);
    for (const std::size_t threads : {std::size_t{32}, std::size_t{256}, std::size_t{1024}}) {
      for (const std::size_t factor : {std::size_t{1}, std::size_t{16}}) {
        const Verdict verdict = check_statistic(static_cast<double>(sum_as_a_kernel(values, threads, factor)), sum);
        EXPECT_TRUE(verdict.matches) << name_of(numbers) << " " << threads << " " << factor;
        EXPECT_LT(verdict.error, verdict.bound / 4) << "the bound should leave room, " << name_of(numbers);
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
  for (const Operation operation : kOperations) {
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
  for (const Operation operation : kOperations) {
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
  for (const Operation operation : kOperations) {
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

TEST(StatisticsCheck, NanAndInfinityMatchThemselvesAlone) {
  const double values[] = {1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL};
  const Statistic references[] = {sum_of({1.0f}), sum_of({1.0f, kNan}), sum_of({1.0f, kInfinity}),
                                  sum_of({1.0f, -kInfinity})};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    for (std::size_t j = 0; j < std::size(values); ++j) {
      const Verdict verdict = check_statistic(values[i], references[j]);
      EXPECT_EQ(verdict.matches, i == j) << values[i] << " for " << values[j];
      EXPECT_EQ(verdict.reason.empty(), i == j) << verdict.reason;
    }
  }
}

TEST(StatisticsCheck, NanNeverMatchesANumber) {
  for (const Operation operation : kOperations) {
    const Verdict verdict = check_statistic(static_cast<double>(kNan), of<float>(operation, {1.0f, 2.5f, 1e30f}));
    EXPECT_FALSE(verdict.matches);
    EXPECT_NE(verdict.reason.find("NaN"), std::string::npos);
  }
}

TEST(StatisticsCheck, PoisonIsANan) {
  float poison;
  std::memset(&poison, 0xFF, sizeof poison);
  EXPECT_FALSE(check_statistic(static_cast<double>(poison), sum_of(floats(Numbers::uniform, 1000))).matches);
}

TEST(StatisticsCheck, OneNumberIsItsStatisticToTheBit) {
  EXPECT_TRUE(check_statistic(static_cast<double>(0.1f), sum_of({0.1f})).matches);
  EXPECT_FALSE(check_statistic(static_cast<double>(std::nextafter(0.1f, 1.0f)), sum_of({0.1f})).matches);
}

TEST(StatisticsCheck, RelativeErrorIsAlwaysThere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(check_statistic(1.5, sum_of({2.0f})).relative_error, 0.25);
  EXPECT_EQ(check_statistic(0.0, sum_of({})).relative_error, 0.0);
  EXPECT_EQ(check_statistic(1.0, sum_of({})).relative_error, HUGE_VAL);
  EXPECT_TRUE(std::isnan(check_statistic(nan, sum_of({2.0f})).relative_error));
  EXPECT_EQ(check_statistic(nan, sum_of({kNan})).relative_error, 0.0);
}

TEST(StatisticsCheck, AReasonSaysWhetherRoundingMayExplainSomeOfIt) {
  EXPECT_EQ(check_statistic(4.0, sum_of({1.0f, 2.0f})).reason,
            "the sum is wrong: expected 3, got 4 (difference 1, ratio 1.333)");
  EXPECT_NE(check_statistic(2.501, sum_of({0.5f, 2.0f})).reason.find("rounding explains at most"), std::string::npos);
}

}  // namespace
}  // namespace workbook
