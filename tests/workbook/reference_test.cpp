// SPDX-License-Identifier: MIT
// The reference must be right where a simpler sum is wrong, and follow IEEE 754 where there is no number to be right
// about.
#include "workbook/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "workbook/input.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Reference sum(const std::vector<float>& values) { return reference_sum(values.data(), values.size()); }

TEST(Reference, NothingSumsToZero) {
  const Reference reference = reference_sum(nullptr, 0);
  EXPECT_EQ(reference.sum, 0.0);
  EXPECT_EQ(reference.sum_of_magnitudes, 0.0);
  EXPECT_EQ(reference.size, 0u);
  EXPECT_TRUE(reference.is_exact);
}

TEST(Reference, AddsAndCountsMagnitudes) {
  const Reference reference = sum({1.5f, -2.25f, 0.5f});
  EXPECT_EQ(reference.sum, -0.25);
  EXPECT_EQ(reference.sum_of_magnitudes, 4.25);
  EXPECT_EQ(reference.size, 3u);
}

// A plain sum in double loses the ones: 1e25 has no bit left for them. Kahan's variant loses them as well.
TEST(Reference, CompensatesWhatADoubleSumLoses) {
  const float big = 1e25f;
  double plain = 0.0;
  for (const float x : {1.0f, big, 1.0f, -big}) plain += x;
  EXPECT_EQ(plain, 0.0);
  EXPECT_EQ(sum({1.0f, big, 1.0f, -big}).sum, 2.0);
}

TEST(Reference, AFloatSumOfTheSameNumbersIsFarOff) {
  const std::vector<float> values(1 << 24, 0.1f);
  float in_float = 0.0f;
  for (const float x : values) in_float += x;
  const double exact = static_cast<double>(0.1f) * (1 << 24);  // a product by a power of two: exact
  EXPECT_EQ(sum(values).sum, exact);
  EXPECT_GT(std::fabs(in_float - exact) / exact, 0.1);
}

TEST(Reference, FollowsIeeeForNanAndInfinity) {
  EXPECT_TRUE(std::isnan(sum({1.0f, kNan, 2.0f}).sum));
  EXPECT_EQ(sum({1.0f, kInfinity, 2.0f, 3.0f}).sum, static_cast<double>(kInfinity));
  EXPECT_EQ(sum({1.0f, -kInfinity, 2.0f}).sum, -static_cast<double>(kInfinity));
  EXPECT_TRUE(std::isnan(sum({kInfinity, 1.0f, -kInfinity}).sum));
  EXPECT_FALSE(sum({kInfinity}).is_exact);
  EXPECT_FALSE(sum({kNan}).is_exact);
}

TEST(Reference, KnowsWhichSumsAreExactInEveryOrder) {
  EXPECT_TRUE(sum({-1.0f, 0.0f, 1.0f, 3.0f}).is_exact);
  EXPECT_FALSE(sum({1.0f, 0.5f}).is_exact);
  EXPECT_TRUE(sum({0x1p23f, -0x1p23f}).is_exact);  // magnitudes add up to 2^24, where floats still hold all integers
  EXPECT_FALSE(sum({0x1p23f, -0x1p23f, 1.0f}).is_exact);  // one more, and an order may round
  const std::vector<float> exact = make_input(Distribution::exact, 16'777'219);
  EXPECT_TRUE(sum(exact).is_exact);
}

}  // namespace
}  // namespace workbook
