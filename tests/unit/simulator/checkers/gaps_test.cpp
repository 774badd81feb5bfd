// SPDX-License-Identifier: MIT
// Single unwritten words of a copy: omitted elements, or padding?
#include "checkers/init/gaps.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cudasim {
namespace {

bool are_no_padding(std::initializer_list<std::uint64_t> places) {
  Gaps gaps;
  gaps.begin_row();
  for (const std::uint64_t place : places) gaps.add(place);
  return gaps.are_no_padding();
}

TEST(Gaps, OneAloneIsNoPadding) {
  EXPECT_FALSE(are_no_padding({}));
  EXPECT_TRUE(are_no_padding({12}));
}

TEST(Gaps, ArePaddingWhereTheyComeAgainAtOneDistance) {
  EXPECT_FALSE(are_no_padding({4, 20, 36, 52}));
  EXPECT_FALSE(are_no_padding({4, 20, 44, 60, 84, 100}));  // two in each struct
  EXPECT_TRUE(are_no_padding({4, 20, 44, 52, 92}));
}

TEST(Gaps, AreNoPaddingAsFarApartAsNoStructIsLong) {
  EXPECT_FALSE(are_no_padding({0, 124, 248}));
  EXPECT_TRUE(are_no_padding({0, 128, 256}));
}

}  // namespace
}  // namespace cudasim
