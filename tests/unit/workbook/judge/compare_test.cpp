// SPDX-License-Identifier: MIT
// A comparison of arrays must count each wrong element, let no NaN pass, and name a pattern exactly where it is true.
#include "workbook/judge/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "planted_result.h"

namespace workbook {
namespace {

using namespace test;

TEST(CompareWords, CountsAndFindsTheFirst) {
  EXPECT_TRUE(Result(0, 0).verdict().matches);
  EXPECT_TRUE(Result(0, 5).verdict().matches);
  const Verdict right = Result(20, 300).verdict();
  EXPECT_TRUE(right.matches);
  EXPECT_EQ(right.elements, 6000u);
  EXPECT_EQ(right.wrong, 0u);
  EXPECT_EQ(right.reason, "");

  const Verdict verdict =
      Result(20, 300)
          .plant([](std::size_t i, std::size_t j) { return i * 300 + j == 907 || i * 300 + j == 5555; }, garbage)
          .verdict();
  EXPECT_FALSE(verdict.matches);
  EXPECT_EQ(verdict.elements, 6000u);
  EXPECT_EQ(verdict.wrong, 2u);
  EXPECT_EQ(verdict.first_index, "row 3, column 7");
  EXPECT_EQ(verdict.first_expected, "908");
  EXPECT_EQ(verdict.first_got, std::to_string(garbage(3, 7)));
  EXPECT_EQ(verdict.pattern, "");
  EXPECT_EQ(verdict.reason, "2 of 6000 elements are wrong; the first is row 3, column 7: expected 908, found " +
                                std::to_string(garbage(3, 7)));
  EXPECT_EQ(Result(1, 9).plant([](std::size_t, std::size_t j) { return j == 4; }, poison).verdict().reason,
            "1 of 9 elements is wrong; the first is element 4: expected 5, found what memory holds that nobody wrote; "
            "every wrong element holds that");
}

// Around the pieces in which it looks for wrong elements, each of them alone.
TEST(CompareWords, SeesEachSingleElement) {
  for (const std::size_t n : std::vector<std::size_t>{1, 2, 7, 4095, 4096, 4097, 8192, 12'289}) {
    for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
      const Verdict verdict =
          Result(1, n).plant([=](std::size_t, std::size_t j) { return j == place; }, garbage).verdict();
      EXPECT_EQ(verdict.wrong, 1u) << n;
      EXPECT_EQ(verdict.first_index, "element " + std::to_string(place)) << n;
    }
  }
}

// The bits of floats: -0 is not 0, a NaN is itself, and another NaN is not.
TEST(CompareWords, ComparesBits) {
  const std::uint32_t expected[] = {0x00000000, 0x7FC00000, 0x7FC00000, 0x3F800000};
  const std::uint32_t got[] = {0x80000000, 0x7FC00000, 0x7FC00001, 0x3F800000};
  EXPECT_EQ(compare_words({got, 1, 4}, {expected, 1, 4}, {}).wrong, 2u);
}

struct Row {
  std::size_t rows;
  std::size_t columns;
  Wrong wrong;
  const char* pattern;
};

TEST(Pattern, SaysWhere) {
  const std::vector<Row> table{
      {70, 100, [](auto i, auto) { return i == 3; }, "all of them are in row 3"},
      {70, 100, [](auto i, auto j) { return j == 99 && i != 5; }, "all of them are in column 99"},
      {1, 1000, [](auto, auto j) { return j >= 992; }, "all from element 992 on"},
      {1, 1000, [](auto, auto j) { return j == 999; }, "all from element 999 on"},
      {70, 100, [](auto i, auto j) { return i * 100 + j >= 6005; }, "all from row 60, column 5 on"},
      {70, 100, [](auto, auto j) { return j >= 96; }, "the columns from 96 on"},
      {70, 100, [](auto i, auto j) { return i >= 64 && j >= 96; }, "the rows from 64 on, from column 96 on"},
      {70, 100, [](auto i, auto j) { return i >= 64 || j >= 96; }, "the rows from 64 on and the columns from 96 on"},
      {70, 100, [](auto, auto j) { return j % 32 >= 29; }, "the last 3 of every 32 columns"},
      {70, 100, [](auto i, auto) { return i % 16 == 15; }, "the last 1 of every 16 rows"},
      {1, 1000, [](auto, auto j) { return j % 128 >= 100; }, "the last 28 of every 128 elements"},
      {1, 1000, [](auto, auto j) { return j % 32 == 0; }, "every 32nd element, the first of them 0"},
      {1, 1000, [](auto, auto j) { return j % 2 == 0; }, "every 2nd element, the first of them 0"},
      {70, 100, [](auto, auto j) { return j % 16 == 5; }, "every 16th column, the first of them 5"},
      {70, 100, [](auto i, auto) { return i % 2 == 1; }, "every 2nd row, the first of them 1"},
  };
  for (const Row& row : table) {
    Result result(row.rows, row.columns);
    EXPECT_EQ(result.plant(row.wrong, garbage).pattern(), row.pattern);
    const std::string where = row.pattern;
    EXPECT_EQ(Result(result).plant(row.wrong, poison).pattern(), "every wrong element holds that: " + where);
    EXPECT_EQ(Result(result).plant(row.wrong, zero).pattern(), "every wrong element is 0: " + where);
  }
}

TEST(Pattern, OfAFewTheLastAloneIsNone) {
  Result few(1, 32), more(1, 33);
  EXPECT_EQ(few.plant([](auto, auto j) { return j == 31; }, garbage).pattern(), "");
  EXPECT_EQ(more.plant([](auto, auto j) { return j == 32; }, garbage).pattern(), "all from element 32 on");
}

TEST(Pattern, OfOneColumnTheColumnIsNone) {
  EXPECT_EQ(Result(37, 1).plant([](auto i, auto) { return i % 7 != 2; }, garbage).pattern(), "");
}

TEST(Pattern, IsNotNamedForAnElementTooManyOrTooFew) {
  const std::vector<Wrong> table{
      [](auto i, auto j) { return i * 100 + j >= 6005; }, [](auto, auto j) { return j >= 96; },
      [](auto i, auto j) { return i >= 64 && j >= 96; },  [](auto i, auto j) { return i >= 64 || j >= 96; },
      [](auto, auto j) { return j % 32 >= 29; },          [](auto i, auto) { return i % 16 == 15; },
      [](auto, auto j) { return j % 16 == 5; },           [](auto i, auto) { return i % 2 == 1; },
  };
  for (const Wrong& wrong : table) {
    ASSERT_NE(Result(70, 100).plant(wrong, garbage).pattern(), "");
    const auto one_more = [&wrong](auto i, auto j) { return wrong(i, j) || (i == 6 && j == 9); };
    EXPECT_EQ(Result(70, 100).plant(one_more, garbage).pattern(), "");
    int met = 0;
    const auto one_less = [&](auto i, auto j) { return wrong(i, j) && ++met != 3; };
    EXPECT_EQ(Result(70, 100).plant(one_less, garbage).pattern(), "");
  }
}

TEST(Pattern, SaysFromWhereTheWordsCome) {
  Result flat(1, 1000), wide(40, 96), square(96, 96);
  const auto from = [](const Result& result, std::ptrdiff_t by) {
    return [&result, by](std::size_t i, std::size_t j) { return result.at(i, j + static_cast<std::size_t>(by)); };
  };
  EXPECT_EQ(Result(40, 96).plant(everywhere, poison).pattern(), "nobody wrote any element of the output");
  Explanations with_stream;
  with_stream.has_own_stream = true;
  const std::vector<std::uint32_t> nothing(6, with_stream.poison), expected(6, 1);
  EXPECT_EQ(compare_words({nothing.data(), 2, 3}, {expected.data(), 2, 3}, with_stream).pattern,
            "nobody wrote any element of the output, in the stream that the function was given");
  EXPECT_EQ(Result(40, 96).plant(everywhere, zero).pattern(), "every element is 0");
  EXPECT_EQ(Result(40, 96).plant(everywhere, zero).verdict().pattern_name, "all-zero");
  EXPECT_EQ(Result(1, 64).plant([](auto, auto j) { return j > 32; }, garbage).verdict().pattern_name, "tail");
  EXPECT_EQ(Result(40, 96).verdict().pattern_name, "");
  EXPECT_EQ(Result(1, 1000).plant([](auto, auto j) { return j < 999; }, from(flat, 1)).pattern(),
            "every wrong element holds what belongs one place further on");
  EXPECT_EQ(Result(1, 1000).plant([](auto, auto j) { return j > 0; }, from(flat, -1)).pattern(),
            "every wrong element holds what belongs one place before it");
  EXPECT_EQ(Result(96, 96).plant(everywhere, [&](auto i, auto j) { return square.at(j, i); }).pattern(),
            "every wrong element holds what belongs where row and column are exchanged");
  for (const std::size_t tile : std::vector<std::size_t>{32, 16, 8}) {
    const std::string t = std::to_string(tile);
    const auto mirrored = [&](std::size_t i, std::size_t j) {
      return square.at(i / tile * tile + j % tile, j / tile * tile + i % tile);
    };
    const auto opposite = [&](std::size_t i, std::size_t j) {
      return square.at(j / tile * tile + i % tile, i / tile * tile + j % tile);
    };
    EXPECT_EQ(Result(96, 96).plant(everywhere, mirrored).pattern(),
              "every wrong element holds what belongs where row and column are exchanged within its tile of " + t +
                  " x " + t);
    EXPECT_EQ(Result(96, 96).plant(everywhere, opposite).pattern(),
              "the wrong elements of each tile of " + t + " x " + t +
                  " hold what belongs at the same places of another tile");
  }
  EXPECT_EQ(Result(1, 1000)
                .plant([](auto, auto j) { return j < 64; }, [&](auto i, auto j) { return flat.at(i, j ^ 32); })
                .pattern(),
            "the wrong elements of each tile of 32 hold what belongs at the same places of another tile");
}

TEST(Pattern, KnowsTheInputAgain) {
  std::vector<std::uint32_t> input(40 * 96);
  for (std::size_t k = 0; k < input.size(); ++k) input[k] = static_cast<std::uint32_t>(5 * k);
  const Result result = Result(40, 96).plant(everywhere, [&](auto i, auto j) { return input[i * 96 + j]; });
  EXPECT_EQ(result.verdict(input).pattern, "every element is the input's at the same place in memory");
  EXPECT_EQ(result.verdict().pattern, "");  // nobody said what the input was
  // For a square the copy is the transpose's transpose, too.
  const Result square(64, 64);
  input.resize(64 * 64);
  for (std::size_t k = 0; k < input.size(); ++k) input[k] = square.at(k % 64, k / 64);
  EXPECT_EQ(Result(64, 64).plant(everywhere, [&](auto i, auto j) { return square.at(j, i); }).verdict(input).pattern,
            "every wrong element is the input's at the same place in memory");
}

std::size_t pick(std::mt19937& random, std::size_t n) { return random() % n; }

// A mistake as kernels make it: some elements, and what is in them.
void plant_at_random(Result& result, std::mt19937& random) {
  const std::size_t rows = result.rows(), columns = result.columns();
  const std::size_t r = pick(random, rows), c = pick(random, columns), tile = std::size_t{8} << pick(random, 4);
  const std::uint32_t salt = static_cast<std::uint32_t>(random());
  const std::vector<Wrong> places{
      everywhere,
      [=](auto i, auto) { return i == r; },
      [=](auto, auto j) { return j == c; },
      [=](auto i, auto j) { return i == r && j == c; },
      [=](auto i, auto j) { return i * columns + j >= r * columns + c; },
      [=](auto i, auto j) { return i >= r && j >= c; },
      [=](auto i, auto j) { return i >= r || j >= c; },
      [=](auto, auto j) { return j % tile >= c % tile; },
      [=](auto i, auto) { return i % tile >= r % tile; },
      [=](auto, auto j) { return j % tile == c % tile; },
      [=](auto i, auto) { return i % tile == r % tile; },
      [=](auto i, auto j) { return i / tile == r / tile && j / tile == c / tile; },
      [=](auto i, auto j) { return (i * columns + j) * 2654435761u % 97 == salt % 97; },
  };
  const std::vector<PlantedValue> values{
      poison,
      zero,
      [=](auto i, auto j) { return garbage(i, j) ^ (salt >> 1); },
      [&](auto i, auto j) { return result.at(i, j + 1); },
      [&](auto i, auto j) { return result.at(i, j - 1); },
      [&](auto i, auto j) { return result.at(j, i); },
      [&, tile](auto i, auto j) { return result.at(i / tile * tile + j % tile, j / tile * tile + i % tile); },
      [&, tile](auto i, auto j) { return result.at(j / tile * tile + i % tile, i / tile * tile + j % tile); },
      [&, tile](auto i, auto j) { return result.at(i, j ^ tile); },
  };
  result.plant(places[pick(random, places.size())], values[pick(random, values.size())]);
}

// One mistake, or two at once: what is named must be true; and two mistakes seldom have something in common.
TEST(Pattern, OfRandomMistakesIsTrueOrNone) {
  constexpr std::size_t kRows[] = {1, 1, 2, 16, 33, 40, 64};
  constexpr std::size_t kColumns[] = {1, 2, 31, 64, 70, 96};
  constexpr int kSeeds = 3000;
  int named[3] = {}, wrong[3] = {};
  for (int mistakes = 1; mistakes <= 2; ++mistakes) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      std::mt19937 random(seed);
      const std::size_t rows = kRows[pick(random, std::size(kRows))];
      Result result(rows, kColumns[pick(random, std::size(kColumns))]);
      for (int k = 0; k < mistakes; ++k) plant_at_random(result, random);
      const Verdict verdict = result.verdict();
      if (verdict.matches) continue;
      ++wrong[mistakes];
      if (verdict.pattern.empty()) continue;
      ++named[mistakes];
      ASSERT_TRUE(Truth(result).holds(verdict.pattern))
          << "seed " << seed << ", " << mistakes << ": " << verdict.pattern;
    }
  }
  EXPECT_GT(named[1], wrong[1] * 6 / 10) << "one mistake mostly has a name";
  EXPECT_LT(named[2], wrong[2] * 4 / 10) << "two at once mostly have none";
  EXPECT_GT(wrong[2] - named[2], kSeeds / 2);
}

TEST(Pattern, OfThousandsOfKindsIsNone) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Result result(64, 70);
    result.plant([&](auto, auto) { return random() % 2 == 0; },
                 [&](auto, auto) { return static_cast<std::uint32_t>(random()); });
    EXPECT_GT(result.verdict().wrong, 1000u);
    EXPECT_EQ(result.pattern(), "") << seed;
  }
}

Verdict floats(const std::vector<float>& got, const std::vector<float>& expected, const std::vector<float>& bounds) {
  const auto words = [](const std::vector<float>& values) {
    std::vector<std::uint32_t> words(values.size());
    if (!words.empty()) std::memcpy(words.data(), values.data(), words.size() * sizeof(float));
    return words;
  };
  const std::vector<std::uint32_t> got_words = words(got), expected_words = words(expected);
  return compare_floats({got_words.data(), 1, got.size()}, {expected_words.data(), 1, expected.size()}, bounds, {});
}

TEST(CompareFloats, TheBoundItselfMatchesAndMoreDoesNot) {
  EXPECT_TRUE(floats({}, {}, {}).matches);
  EXPECT_TRUE(floats({1.5f, -2.0f, 0.0f}, {1.25f, -2.0f, -0.0f}, {0.25f, 0.0f, 0.0f}).matches);
  const Verdict verdict = floats({1.5f, 8.0f, 3.0f}, {1.25f, 4.0f, 3.0f}, {0.25f, 3.0f, 0.0f});
  EXPECT_FALSE(verdict.matches);
  EXPECT_EQ(verdict.wrong, 1u);
  EXPECT_EQ(verdict.first_index, "element 1");
  EXPECT_EQ(verdict.error, 4.0);
  EXPECT_EQ(verdict.relative_error, 1.0);
  EXPECT_EQ(verdict.bound, 3.0);
  EXPECT_FALSE(floats({std::nextafter(1.5f, 2.0f)}, {1.25f}, {0.25f}).matches);
}

TEST(CompareFloats, NanAndInfinityMatchThemselvesAlone) {
  const float values[] = {1.0f, kNan, kInfinity, -kInfinity};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    for (std::size_t j = 0; j < std::size(values); ++j) {
      const float bound = i == 1 || j == 1 ? kInfinity : 1e30f;  // no bound lets a NaN pass
      EXPECT_EQ(floats({0.0f, values[i]}, {0.0f, values[j]}, {0.0f, bound}).matches, i == j)
          << values[i] << " " << values[j];
    }
  }
}

TEST(CompareFloats, AnErrorIsNaNWhereANumberShouldBe) {
  const Verdict verdict = floats({5.0f, kNan, 9.0f}, {4.0f, 2.0f, 1.0f}, {0.5f, 0.5f, 0.5f});
  EXPECT_EQ(verdict.wrong, 3u);
  EXPECT_TRUE(std::isnan(verdict.error));
  EXPECT_TRUE(std::isnan(verdict.relative_error));
  const Verdict same = floats({kNan, kInfinity, 2.5f}, {kNan, kInfinity, 2.0f}, {0.0f, 0.0f, 1.0f});
  EXPECT_TRUE(same.matches);
  EXPECT_EQ(same.error, 0.5);
}

// 2^26 words are those of 256 MiB; a benchmark's check must not take longer than what it checks.
TEST(CompareWords, TakesATenthOfASecondForAQuarterOfAGibibyte) {
  const std::vector<std::uint32_t> got(std::size_t{1} << 26, 7), expected = got;
  double best_s = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(compare_words({got.data(), 1 << 13, 1 << 13}, {expected.data(), 1 << 13, 1 << 13}, {}).matches);
    best_s = std::min(best_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::cout << "2^26 words: " << best_s << " s\n";
  EXPECT_LT(best_s, 0.5) << "a quiet machine takes less than 0.1";
}

}  // namespace
}  // namespace workbook
