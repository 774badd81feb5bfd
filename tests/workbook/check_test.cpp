// SPDX-License-Identifier: MIT
// The check must refuse what published checkers let through: NaN, values that nobody wrote, one element lost.
#include "workbook/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "workbook/input.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Reference reference_of(const std::vector<float>& values) { return reference_sum(values.data(), values.size()); }

Reference inexact(double sum, double magnitudes, std::size_t n) { return {sum, magnitudes, n, false}; }

TEST(Check, DepthIsATreeAndSomeSerialAdditionsButNeverMoreThanAllOfThem) {
  EXPECT_EQ(addition_depth(0), 0);
  EXPECT_EQ(addition_depth(1), 0);
  EXPECT_EQ(addition_depth(2), 1);
  EXPECT_EQ(addition_depth(33), 32);
  EXPECT_EQ(addition_depth(1024), 10 + kSerialAdditions);
  EXPECT_EQ(addition_depth(1025), 11 + kSerialAdditions);
  EXPECT_EQ(addition_depth(16'777'216), 24 + kSerialAdditions);
  EXPECT_EQ(addition_depth(std::numeric_limits<std::size_t>::max()), 64 + kSerialAdditions);
}

TEST(Check, BoundScalesWithMagnitudesNotWithTheSum) {
  // 2 * (24 + 64) * 2^-24 * sum|x|
  EXPECT_DOUBLE_EQ(error_bound(inexact(1.0, 8e6, 16'777'216)), 2.0 * 88.0 / 16'777'216.0 * 8e6);
  EXPECT_EQ(error_bound(inexact(1.0, 8e6, 16'777'216)), error_bound(inexact(-5e5, 8e6, 16'777'216)));
}

TEST(Check, JustInsideMatchesAndJustOutsideDoesNot) {
  // n = 2: depth 1, bound 2 * 2^-24 * 2^20 = 0.125, and floats near 2^20 are 0.125 apart (0.0625 below it).
  const Reference reference = inexact(0x1p20, 0x1p20, 2);
  EXPECT_EQ(error_bound(reference), 0.125);
  EXPECT_TRUE(check_sum(0x1p20f + 0.125f, reference).matches);
  EXPECT_FALSE(check_sum(0x1p20f + 0.25f, reference).matches);
  EXPECT_TRUE(check_sum(0x1p20f - 0.125f, reference).matches);
  EXPECT_FALSE(check_sum(0x1p20f - 0.1875f, reference).matches);
}

TEST(Check, NanNeverMatchesANumber) {
  for (const Reference& reference : {inexact(1.0, 1.0, 9), inexact(0.0, 1e30, 9), Reference{}}) {
    const Verdict verdict = check_sum(kNan, reference);
    EXPECT_FALSE(verdict.matches);
    EXPECT_NE(verdict.reason.find("NaN"), std::string::npos);
  }
}

TEST(Check, PoisonIsANanAndDoesNotMatch) {
  float poison;
  std::memset(&poison, 0xFF, sizeof poison);
  EXPECT_FALSE(check_sum(poison, reference_of(make_input(Distribution::uniform, 1000))).matches);
}

TEST(Check, NanAndInfinityMustComeOutWhereTheReferenceHasThem) {
  const Reference nan = reference_of({1.0f, kNan});
  EXPECT_TRUE(check_sum(kNan, nan).matches);
  EXPECT_FALSE(check_sum(1.0f, nan).matches);
  EXPECT_FALSE(check_sum(kInfinity, nan).matches);

  const Reference infinite = reference_of({1.0f, kInfinity});
  EXPECT_TRUE(check_sum(kInfinity, infinite).matches);
  EXPECT_FALSE(check_sum(-kInfinity, infinite).matches);
  EXPECT_FALSE(check_sum(std::numeric_limits<float>::max(), infinite).matches);
  EXPECT_FALSE(check_sum(kNan, infinite).matches);

  EXPECT_FALSE(check_sum(kInfinity, reference_of({1.0f, 2.0f})).matches);
}

TEST(Check, ASingleNumberMustMatchToTheBit) {
  const Reference reference = reference_of({0.1f});
  EXPECT_TRUE(check_sum(0.1f, reference).matches);
  EXPECT_FALSE(check_sum(std::nextafter(0.1f, 1.0f), reference).matches);
}

TEST(Check, NothingSumsToZeroOnly) {
  EXPECT_TRUE(check_sum(0.0f, Reference{}).matches);
  EXPECT_FALSE(check_sum(std::numeric_limits<float>::denorm_min(), Reference{}).matches);
}

// One element of 2^24 is far below the rounding error of uniform data; exact data finds it.
TEST(Check, ExactDataFindsOneLostElementAmongMillions) {
  const std::vector<float> values = make_input(Distribution::exact, 16'777'216);
  const Reference reference = reference_of(values);
  const float sum = static_cast<float>(reference.sum);
  EXPECT_TRUE(check_sum(sum, reference).matches);
  EXPECT_FALSE(check_sum(sum + 1.0f, reference).matches);
  EXPECT_FALSE(check_sum(sum - 1.0f, reference).matches);
}

TEST(Check, OneHotFindsALostAndADoubledElement) {
  const Reference reference = reference_of(make_input(Distribution::one_hot, 100'000));
  EXPECT_TRUE(check_sum(1.0f, reference).matches);
  EXPECT_FALSE(check_sum(0.0f, reference).matches);
  EXPECT_FALSE(check_sum(2.0f, reference).matches);
}

TEST(Check, UniformFindsALostBlockOf256) {
  const std::vector<float> values = make_input(Distribution::uniform, 16'777'216);
  const Reference reference = reference_of(values);
  const double block = std::accumulate(values.begin(), values.begin() + 256, 0.0);
  EXPECT_TRUE(check_sum(static_cast<float>(reference.sum), reference).matches);
  EXPECT_FALSE(check_sum(static_cast<float>(reference.sum - block), reference).matches);
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

TEST(Check, EveryReasonableOrderOfAdditionsMatches) {
  for (const Distribution distribution :
       {Distribution::uniform, Distribution::signed_uniform, Distribution::constant}) {
    const std::vector<float> values = make_input(distribution, 1'000'003);
    for (const std::size_t threads : {std::size_t{32}, std::size_t{256}, std::size_t{1024}}) {
      for (const std::size_t factor : {std::size_t{1}, std::size_t{16}}) {
        const Verdict verdict = check_sum(sum_as_a_kernel(values, threads, factor), reference_of(values));
        EXPECT_TRUE(verdict.matches) << name_of(distribution) << " " << threads << " " << factor;
        EXPECT_LT(verdict.error, verdict.bound / 4) << "the bound should leave room, " << name_of(distribution);
      }
    }
  }
}

TEST(Check, ASequentialFloatSumOfAConstantDoesNotMatch) {
  const std::vector<float> values = make_input(Distribution::constant, 16'777'216);
  float sum = 0.0f;
  for (const float x : values) sum += x;
  EXPECT_FALSE(check_sum(sum, reference_of(values)).matches);
}

TEST(Check, RelativeErrorIsAlwaysThere) {
  EXPECT_DOUBLE_EQ(check_sum(1.5f, inexact(2.0, 2.0, 2)).relative_error, 0.25);
  EXPECT_EQ(check_sum(0.0f, Reference{}).relative_error, 0.0);
  EXPECT_EQ(check_sum(1.0f, Reference{}).relative_error, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(check_sum(kNan, inexact(2.0, 2.0, 2)).relative_error));
  EXPECT_EQ(check_sum(kNan, reference_of({kNan})).relative_error, 0.0);
  EXPECT_GT(check_sum(std::nextafter(0.3f, 1.0f), reference_of({0.1f, 0.2f})).relative_error, 0.0);
}

TEST(Check, AReasonComesWithEveryRefusalAndWithNothingElse) {
  EXPECT_TRUE(check_sum(3.0f, reference_of({1.0f, 2.0f})).reason.empty());
  EXPECT_NE(check_sum(4.0f, reference_of({1.0f, 2.0f})).reason.find("lost or counted more than once"),
            std::string::npos);
  EXPECT_NE(check_sum(4.0f, reference_of({0.5f, 2.0f})).reason.find("rounding explains at most"), std::string::npos);
}

}  // namespace
}  // namespace workbook
