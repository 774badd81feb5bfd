// SPDX-License-Identifier: MIT
// Digits as a beginner reads them.
#include "workbook/judge/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace workbook {
namespace {

TEST(Plain, HasNoExponentWherePlainDigitsDo) {
  EXPECT_EQ(plain(8390169.75, 9), "8390169.75");
  EXPECT_EQ(plain(-2.0, 9), "-2");
  EXPECT_EQ(plain(16777216.0, 9), "16777216");
  EXPECT_EQ(plain(1.0 / 3.0, 4), "0.3333");
  EXPECT_EQ(plain(0.000034, 3), "0.000034");
  EXPECT_EQ(plain(99996.0, 4), "99996");  // digits before the point are all there
  EXPECT_EQ(plain(0.0, 9), "0");
  EXPECT_EQ(plain(1e300, 3), "1e+300");
  EXPECT_EQ(plain(1e-17, 3), "1e-17");
  EXPECT_EQ(plain(std::numeric_limits<double>::infinity(), 3), "infinity");
  EXPECT_EQ(plain(-std::numeric_limits<double>::infinity(), 3), "-infinity");
}

TEST(ExpectedAndGot, SaysDifferenceAndRatio) {
  EXPECT_EQ(expected_and_got(13.0, 9.0, 9, 0.0), "expected 13, got 9 (difference -4, ratio 0.6923)");
  EXPECT_EQ(expected_and_got(2.0, 64.0, 9, 1e-6), "expected 2, got 64 (difference 62, ratio 32)");
  EXPECT_EQ(expected_and_got(0.0, 5.0, 9, 0.0), "expected 0, got 5 (difference 5)");
  EXPECT_EQ(expected_and_got(-1.0, 1.0, 9, 0.0), "expected -1, got 1 (difference 2)");
}

TEST(ExpectedAndGot, OfNeighboursSaysWhatRoundingMayDo) {
  EXPECT_EQ(expected_and_got(16777217.0, 16777216.0, 9, 0.25),
            "expected 16777217, got 16777216 (difference -1); rounding explains at most 0.25");
  EXPECT_EQ(expected_and_got(3.0, 3.0000005, 9, 0.0),
            "expected 3, got 3.0000005 (difference 0.0000005), and must match to the bit");
}

TEST(ExpectedAndGot, OfNoNumbersIsShort) {
  EXPECT_EQ(expected_and_got(3.0, std::numeric_limits<double>::infinity(), 9, 0.0), "expected 3, got infinity");
}

TEST(IsAsGoodAsAFloat, HasARangeOfErrors) {
  EXPECT_TRUE(is_as_good_as_a_float(1.0, static_cast<double>(0.1f) * 10.0));
  EXPECT_FALSE(is_as_good_as_a_float(1.0, 1.0));
  EXPECT_FALSE(is_as_good_as_a_float(1.0, 1.001));
}

}  // namespace
}  // namespace workbook
