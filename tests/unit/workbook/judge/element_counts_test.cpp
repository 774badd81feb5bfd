// SPDX-License-Identifier: MIT
// The sentences on how often elements were counted: each must hold for exactly those that it names.
#include "workbook/judge/element_counts.h"

#include <gtest/gtest.h>

namespace workbook {
namespace {

template <typename Times>
ElementCounts counts_of(std::size_t n, Times times, std::size_t block_threads = 32) {
  ElementCounts counts{"element", "sum", {}, {}, block_threads};
  for (std::size_t i = 0; i < n; ++i) counts.times.push_back(times(i));
  return counts;
}
template <typename Times>
std::string words(std::size_t n, Times times, std::size_t block_threads = 32) {
  return describe(counts_of(n, times, block_threads));
}

TEST(ElementCounts, OfWhatIsRightSaysNothing) {
  EXPECT_TRUE(is_right(counts_of(5, [](std::size_t) { return 1.0; })));
  EXPECT_EQ(words(5, [](std::size_t) { return 1.0; }), "");
}

TEST(ElementCounts, OfARange) {
  EXPECT_EQ(words(100, [](std::size_t i) { return i < 96 ? 1.0 : 0.0; }),
            "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4.");
  EXPECT_EQ(
      words(100, [](std::size_t i) { return i >= 32 ? 1.0 : 0.0; }),
      "32 of the 100 elements are not in the sum: elements 0 to 31, the first 32, as many as a block has threads.");
  EXPECT_EQ(words(100, [](std::size_t i) { return i >= 32 && i < 64 ? 0.0 : 1.0; }),
            "32 of the 100 elements are not in the sum: elements 32 to 63, as many as a block has threads.");
  EXPECT_EQ(words(33, [](std::size_t i) { return i < 32 ? 1.0 : 0.0; }),
            "1 of the 33 elements is not in the sum: element 32, the last.");
  EXPECT_EQ(words(33, [](std::size_t i) { return i < 31 ? 1.0 : 0.0; }),
            "2 of the 33 elements are not in the sum: elements 31 and 32, the last 2.");
}

TEST(ElementCounts, OfAll) {
  EXPECT_EQ(words(100, [](std::size_t) { return 0.0; }),
            "No element is in the sum. Does each go into it (as with +=), is the result stored, and is it copied to "
            "where it is looked for?");
  EXPECT_EQ(words(100, [](std::size_t) { return 32.0; }),
            "Every element is counted 32 times, as often as a block has threads.");
  EXPECT_EQ(words(
                100, [](std::size_t) { return 32.0; }, 64),
            "Every element is counted 32 times.");
  EXPECT_EQ(words(1, [](std::size_t) { return 2.0; }), "The only element is counted 2 times.");
  EXPECT_EQ(words(1, [](std::size_t) { return 0.0; }), "The only element is not in the sum.");
}

TEST(ElementCounts, OfAPeriod) {
  EXPECT_EQ(words(100, [](std::size_t i) { return i % 4 == 3 ? 0.0 : 1.0; }),
            "25 of the 100 elements are not in the sum: every 4th element, beginning with 3.");
  EXPECT_EQ(words(256, [](std::size_t i) { return i % 64 >= 32 ? 0.0 : 1.0; }),
            "128 of the 256 elements are not in the sum: the last 32 of every 64 elements.");
  EXPECT_EQ(words(256, [](std::size_t i) { return i % 32 < 2 ? 0.0 : 1.0; }),
            "16 of the 256 elements are not in the sum: the first 2 of every 32 elements.");
  EXPECT_EQ(words(96, [](std::size_t i) { return i % 32 == 31 ? 0.0 : 1.0; }),
            "3 of the 96 elements are not in the sum: every 32nd element, beginning with 31.");
}

// A period that the end cuts off in the middle still holds for all: 99 is in a 25th period of 4 that is whole.
TEST(ElementCounts, APeriodHoldsForEveryElementOrIsNotNamed) {
  EXPECT_EQ(words(10, [](std::size_t i) { return i == 0 || i == 4 || i == 9 ? 0.0 : 1.0; }),
            "3 of the 10 elements are not in the sum: elements 0, 4 and 9.");
  EXPECT_EQ(words(20, [](std::size_t i) { return i % 5 == 1 || i == 2 ? 0.0 : 1.0; }),
            "5 of the 20 elements are not in the sum: elements 1 to 2, 6, 11 and 1 more.");
  EXPECT_EQ(words(100, [](std::size_t i) { return i / 32 % 2 == 1 ? 0.0 : 1.0; }),
            "36 of the 100 elements are not in the sum: elements 32 to 63 and 96 to 99.");
}

TEST(ElementCounts, WhereMostAreLostNamesThoseThatAreLeft) {
  EXPECT_EQ(words(100, [](std::size_t i) { return i == 0 ? 1.0 : 0.0; }),
            "Only 1 of the 100 elements is in the sum: element 0, the first.");
  EXPECT_EQ(words(96, [](std::size_t i) { return i % 4 == 0 ? 1.0 : 0.0; }),
            "Only 24 of the 96 elements are in the sum: every 4th element, beginning with 0.");
}

TEST(ElementCounts, OfSeveralCounts) {
  EXPECT_EQ(words(100, [](std::size_t i) { return i == 0   ? 4.0
                                                  : i == 1 ? 0.0
                                                           : 1.0; }),
            "1 of the 100 elements is not in the sum: element 1. 1 of the 100 elements is counted 4 times: element 0, "
            "the first.");
  EXPECT_EQ(
      words(4, [](std::size_t i) { return static_cast<double>(i) + 2.0; }),
      "4 of the 4 elements are counted too often or too seldom: element 0 2 times, element 1 3 times, element 2 4 "
      "times, and so on.");
  EXPECT_EQ(
      words(4, [](std::size_t i) { return i == 0 ? 0.0 : static_cast<double>(i) + 2.0; })
          .rfind("4 of the 4 elements are counted too often or too seldom: element 0 never, element 1 3 times", 0),
      0u);
}

TEST(ElementCounts, WhatIsWantedNeedNotBeOnce) {
  ElementCounts counts{"point", "sum", {1.0, 1.0, 1.0}, {0.5, 1.0, 0.5}, 32};
  EXPECT_EQ(describe(counts), "2 of the 3 points are counted once instead of 0.5: points 0 and 2.");
  counts.times = {0.5, 1.0, 0.0};
  EXPECT_EQ(describe(counts), "1 of the 3 points is not in the sum: point 2, the last.");
  counts.times = {0.0, 0.0, 0.0};
  EXPECT_EQ(describe(counts).rfind("No point is in the sum.", 0), 0u);
}

}  // namespace
}  // namespace workbook
