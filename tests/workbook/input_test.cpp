// SPDX-License-Identifier: MIT
// The input's bits are part of the course: every platform and standard library must make the same ones.
#include "workbook/input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace workbook {
namespace {

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// Golden values: mt19937 seeded with 12345 begins 3992670690, 3823185381, 1358822685, 561383553 (any implementation,
// numpy's RandomState(12345) included); its top 24 bits times 2^-24 are these.
TEST(Input, UniformBeginsWithTheSameBitsEverywhere) {
  const std::vector<float> values = make_input(Distribution::uniform, 4, 12345);
  EXPECT_EQ(values[0], static_cast<float>(3992670690u >> 8) / 16777216.0f);
  EXPECT_EQ(values[1], static_cast<float>(3823185381u >> 8) / 16777216.0f);
  EXPECT_EQ(bits(values[0]), 0x3f6dfb51u);
  EXPECT_EQ(bits(values[1]), 0x3f63e12du);
  EXPECT_EQ(bits(values[2]), 0x3ea1fbfau);
  EXPECT_EQ(bits(values[3]), 0x3e05d820u);
}

TEST(Input, TheTenThousandthNumberIsTheStandardsOwn) {
  // the C++ standard, [rand.predef]: the 10000th number of a default-seeded (5489) mt19937 is 4123659995.
  const std::vector<float> values = make_input(Distribution::uniform, 10000, 5489);
  EXPECT_EQ(values[9999], static_cast<float>(4123659995u >> 8) * 0x1p-24f);
}

TEST(Input, UniformStaysBelowOneAndSignedCoversBothSigns) {
  const std::vector<float> values = make_input(Distribution::uniform, 100000, 3);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0f);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0f);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 1e5, 0.5, 0.01);

  const std::vector<float> both = make_input(Distribution::signed_uniform, 100000, 3);
  EXPECT_GE(*std::min_element(both.begin(), both.end()), -1.0f);
  EXPECT_LT(*std::max_element(both.begin(), both.end()), 1.0f);
  EXPECT_LT(*std::min_element(both.begin(), both.end()), -0.99f);
  EXPECT_EQ(both[7], 2.0f * values[7] - 1.0f);
}

TEST(Input, ExactHoldsAllThreeValuesAndNothingElse) {
  const std::vector<float> values = make_input(Distribution::exact, 3000);
  for (const float wanted : {-1.0f, 0.0f, 1.0f})
    EXPECT_NEAR(static_cast<double>(std::count(values.begin(), values.end(), wanted)), 1000.0, 150.0);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float x) { return x == -1.0f || x == 0.0f || x == 1.0f; }));
}

TEST(Input, OneHotHasASingleOneAtAPlaceThatTheSeedMoves) {
  std::vector<std::ptrdiff_t> places;
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    const std::vector<float> values = make_input(Distribution::one_hot, 100000, seed);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0f), 99999);
    places.push_back(std::find(values.begin(), values.end(), 1.0f) - values.begin());
    EXPECT_LT(places.back(), 100000);
  }
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
}

TEST(Input, ConstantIsTheFloatNearestToATenth) {
  for (const float value : make_input(Distribution::constant, 5)) EXPECT_EQ(bits(value), 0x3dcccccdu);
}

TEST(Input, SpecialValuesAreThereOnce) {
  const auto count = [](Distribution distribution, std::size_t n, auto predicate) {
    const std::vector<float> values = make_input(distribution, n, 9);
    return std::count_if(values.begin(), values.end(), predicate);
  };
  const auto is_nan = [](float x) { return std::isnan(x); };
  const auto is_plus = [](float x) { return std::isinf(x) && x > 0; };
  const auto is_minus = [](float x) { return std::isinf(x) && x < 0; };
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(count(Distribution::nan, n, is_nan), 1);
    EXPECT_EQ(count(Distribution::infinity, n, is_plus), 1);
    EXPECT_EQ(count(Distribution::infinity, n, is_minus), 0);
    EXPECT_EQ(count(Distribution::infinities, n, is_plus), 1);
    EXPECT_EQ(count(Distribution::infinities, n, is_minus), n > 1 ? 1 : 0);
  }
}

TEST(Input, SeedsDifferAndRepeat) {
  EXPECT_EQ(make_input(Distribution::uniform, 100, 7), make_input(Distribution::uniform, 100, 7));
  EXPECT_NE(make_input(Distribution::uniform, 100, 7), make_input(Distribution::uniform, 100, 8));
}

TEST(Input, EveryDistributionHasANameAndAnEmptyInput) {
  for (const char* name : {"uniform", "signed", "exact", "one-hot", "constant", "nan", "infinity", "infinities"}) {
    const auto distribution = distribution_named(name);
    ASSERT_TRUE(distribution.has_value()) << name;
    EXPECT_STREQ(name_of(*distribution), name);
    EXPECT_TRUE(make_input(*distribution, 0).empty());
    EXPECT_NE(distribution_names().find(name), std::string::npos);
  }
  EXPECT_FALSE(distribution_named("").has_value());
  EXPECT_FALSE(distribution_named("unifor").has_value());
}

}  // namespace
}  // namespace workbook
