// SPDX-License-Identifier: MIT
// The input's bits are part of the course: every platform and standard library must make the same ones.
#include "workbook/problem/sums/statistics/statistics_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "workbook/problem/generator.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> floats(Numbers numbers, std::size_t n, std::uint32_t seed = 12345) {
  return make_numbers<float>(numbers, Operation::sum, n, seed);
}

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// Golden values. With seed 12345, mt19937 begins 3992670690, 3823185381, 1358822685, 561383553 (any implementation,
// numpy's RandomState(12345) included). Its top 24 bits times 2^-24 are these.
TEST(Generator, IsThatOfTheStandard) {
  Generator ours(12345);
  std::mt19937 standard(12345);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(ours(), standard());
  Generator unseeded;
  unseeded.discard(9999);
  EXPECT_EQ(unseeded(), 4123659995u);  // [rand.predef]
}

TEST(StatisticsInput, UniformBeginsWithTheSameBitsEverywhere) {
  const std::vector<float> values = floats(Numbers::uniform, 4, 12345);
  EXPECT_EQ(values[0], static_cast<float>(3992670690u >> 8) / 16777216.0f);
  EXPECT_EQ(values[1], static_cast<float>(3823185381u >> 8) / 16777216.0f);
  EXPECT_EQ(bits(values[0]), 0x3f6dfb51u);
  EXPECT_EQ(bits(values[1]), 0x3f63e12du);
  EXPECT_EQ(bits(values[2]), 0x3ea1fbfau);
  EXPECT_EQ(bits(values[3]), 0x3e05d820u);
}

TEST(StatisticsInput, TheTenThousandthNumberIsTheStandardsOwn) {
  // the C++ standard, [rand.predef]: the 10000th number of a default-seeded (5489) mt19937 is 4123659995.
  const std::vector<float> values = floats(Numbers::uniform, 10000, 5489);
  EXPECT_EQ(values[9999], static_cast<float>(4123659995u >> 8) * 0x1p-24f);
}

TEST(StatisticsInput, UniformStaysBelowOneAndSignedCoversBothSigns) {
  const std::vector<float> values = floats(Numbers::uniform, 100000, 3);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0f);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0f);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 1e5, 0.5, 0.01);

  const std::vector<float> both = floats(Numbers::signed_uniform, 100000, 3);
  EXPECT_GE(*std::min_element(both.begin(), both.end()), -1.0f);
  EXPECT_LT(*std::max_element(both.begin(), both.end()), 1.0f);
  EXPECT_LT(*std::min_element(both.begin(), both.end()), -0.99f);
  EXPECT_EQ(both[7], 2.0f * values[7] - 1.0f);
}

TEST(StatisticsInput, ExactHoldsAllThreeValuesAndNothingElse) {
  const std::vector<float> values = floats(Numbers::exact, 3000);
  for (const float wanted : {-1.0f, 0.0f, 1.0f})
    EXPECT_NEAR(static_cast<double>(std::count(values.begin(), values.end(), wanted)), 1000.0, 150.0);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float x) { return x == -1.0f || x == 0.0f || x == 1.0f; }));
}

TEST(StatisticsInput, OneHotHasASingleOneAtAPlaceThatTheSeedMoves) {
  std::vector<std::ptrdiff_t> places;
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    const std::vector<float> values = floats(Numbers::one_hot, 100000, seed);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0f), 99999);
    places.push_back(std::find(values.begin(), values.end(), 1.0f) - values.begin());
    EXPECT_LT(places.back(), 100000);
  }
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
}

TEST(StatisticsInput, ConstantIsTheFloatNearestToATenth) {
  for (const float value : floats(Numbers::constant, 5)) EXPECT_EQ(bits(value), 0x3dcccccdu);
}

TEST(StatisticsInput, SpecialValuesAreThereOnce) {
  const auto count = [](Numbers numbers, std::size_t n, auto predicate) {
    const std::vector<float> values = floats(numbers, n, 9);
    return std::count_if(values.begin(), values.end(), predicate);
  };
  const auto is_nan = [](float x) { return std::isnan(x); };
  const auto is_plus = [](float x) { return std::isinf(x) && x > 0; };
  const auto is_minus = [](float x) { return std::isinf(x) && x < 0; };
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(count(Numbers::nan, n, is_nan), 1);
    EXPECT_EQ(count(Numbers::infinity, n, is_plus), 1);
    EXPECT_EQ(count(Numbers::infinity, n, is_minus), 0);
    EXPECT_EQ(count(Numbers::infinities, n, is_plus), 1);
    EXPECT_EQ(count(Numbers::infinities, n, is_minus), n > 1 ? 1 : 0);
  }
}

TEST(StatisticsInput, SeedsDifferAndRepeat) {
  EXPECT_EQ(floats(Numbers::uniform, 100, 7), floats(Numbers::uniform, 100, 7));
  EXPECT_NE(floats(Numbers::uniform, 100, 7), floats(Numbers::uniform, 100, 8));
}

TEST(StatisticsInput, EveryKindHasANameAndAnEmptyInput) {
  const std::vector<std::string> names = numbers_names();
  EXPECT_EQ(names, (std::vector<std::string>{"uniform", "signed", "exact", "constant", "shifted", "negative", "one-hot",
                                             "infinite", "infinity", "infinities", "nan"}));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto numbers = static_cast<Numbers>(i);
    EXPECT_EQ(name_of(numbers), names[i]);
    for (const Operation operation : {Operation::sum, Operation::product}) {
      EXPECT_TRUE(make_numbers<float>(numbers, operation, 0, 1).empty()) << names[i];
      EXPECT_TRUE(make_numbers<int>(numbers, operation, 0, 1).empty()) << names[i];
    }
  }
}

// A double takes the first two of mt19937's numbers, high bits first; an int takes the first.
TEST(StatisticsInput, DoublesAndIntsBeginWithTheSameBitsEverywhere) {
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
  for (const Numbers numbers : {Numbers::uniform, Numbers::signed_uniform, Numbers::exact, Numbers::constant,
                                Numbers::shifted, Numbers::negative}) {
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

}  // namespace
}  // namespace workbook
