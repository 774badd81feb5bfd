// SPDX-License-Identifier: MIT
// The order of keys, their inputs, and what is said of a sort that went wrong.
#include "workbook/problem/sorts/sort/sort_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "workbook/problem/sorts/sort/sort_input.h"

namespace workbook {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr KeyType kTypes[] = {KeyType::unsigned_ints, KeyType::signed_ints, KeyType::floats};
constexpr std::uint32_t kPoison = 0xA5A5A5A5;

Words special_bits() {
  Words bits = make_keys(Keys::special, KeyType::floats, 3000, 1);
  for (const Keys keys : {Keys::uniform, Keys::extremes, Keys::padding, Keys::sorted}) {
    for (const KeyType type : kTypes) {
      const Words more = make_keys(keys, type, 50, 2);
      bits.insert(bits.end(), more.begin(), more.end());
    }
  }
  return bits;
}

// Two descriptions of the same order, written apart.
TEST(SortOrder, OrdinalsStandForTheOrderAndGiveTheKeyBack) {
  const Words bits = special_bits();
  for (const KeyType type : kTypes) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const std::uint32_t a = bits[i], b = bits[(i * 7 + 3) % bits.size()];
      EXPECT_EQ(comes_before(a, b, type), ordinal_of(a, type) < ordinal_of(b, type)) << std::hex << a << " " << b;
      EXPECT_EQ(key_of(ordinal_of(a, type), type), a);
    }
  }
}

TEST(SortOrder, FloatsFromMinusInfinityOverBothZerosToNan) {
  const Words order{0xFF800000, 0xBF800000, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3F800000,
                    0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFC00000, 0xFF800001};
  for (std::size_t i = 1; i < order.size(); ++i) {
    EXPECT_TRUE(comes_before(order[i - 1], order[i], KeyType::floats)) << i;
    EXPECT_FALSE(comes_before(order[i], order[i - 1], KeyType::floats)) << i;
  }
  EXPECT_EQ(ordinal_of(order.front(), KeyType::floats), 0u);
  EXPECT_EQ(ordinal_of(order.back(), KeyType::floats), 0xFFFFFFFFu);
}

TEST(SortInput, RisesFallsAndRepeatsInEveryType) {
  for (const KeyType type : kTypes) {
    const auto before = [type](std::uint32_t a, std::uint32_t b) { return comes_before(a, b, type); };
    const Words up = make_keys(Keys::sorted, type, 5000, 1), down = make_keys(Keys::reversed, type, 5000, 1);
    EXPECT_EQ(std::adjacent_find(up.begin(), up.end(), [&](auto a, auto b) { return !before(a, b); }), up.end());
    EXPECT_EQ(std::adjacent_find(down.begin(), down.end(), [&](auto a, auto b) { return !before(b, a); }), down.end());
    const Words teeth = make_keys(Keys::sawtooth, type, 3000, 1);
    EXPECT_TRUE(std::is_sorted(teeth.begin(), teeth.begin() + 1024, before));
    EXPECT_EQ(teeth[0], teeth[1024]);
    const Words pipe = make_keys(Keys::organ_pipe, type, 1000, 1);
    EXPECT_TRUE(std::is_sorted(pipe.begin(), pipe.begin() + 500, before));
    EXPECT_TRUE(std::is_sorted(pipe.rbegin(), pipe.rbegin() + 500, before));
    const Words two = make_keys(Keys::two, type, 1000, 1);
    EXPECT_EQ(std::set<std::uint32_t>(two.begin(), two.end()).size(), 2u);
    EXPECT_EQ(make_keys(Keys::equal, type, 9, 1), Words(9, make_key(Keys::equal, type, 0, 9, 1)));
    const Words uniform = make_keys(Keys::uniform, type, 5000, 1);
    EXPECT_GT(std::set<std::uint32_t>(uniform.begin(), uniform.end()).size(), 4990u);
    EXPECT_EQ(uniform, make_keys(Keys::uniform, type, 5000, 1));
    EXPECT_NE(uniform, make_keys(Keys::uniform, type, 5000, 2));
  }
}

TEST(SortInput, UniformFloatsLieBetweenMinusOneAndOne) {
  for (const std::uint32_t key : make_keys(Keys::uniform, KeyType::floats, 5000, 3)) {
    EXPECT_FALSE(comes_before(key, 0xBF800000, KeyType::floats));
    EXPECT_TRUE(comes_before(key, 0x3F800000, KeyType::floats));
  }
}

Words places(std::size_t n) {
  Words numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}

// What is said of `got` where the sort of `keys` was asked for.
std::string said_of(const Words& keys, const Words& got, KeyType type = kTypes[0]) {
  const SortTask task{type, {keys, {}}, false};
  const Verdict verdict = check_sort(task, sorted(task), {got, {}}, kPoison);
  EXPECT_EQ(verdict.matches, verdict.reason.empty());
  return verdict.reason;
}

std::string said_of_values(const Words& keys, const Words& values, bool is_stable) {
  const SortTask task{kTypes[0], {keys, places(keys.size())}, is_stable};
  HostRecords got = sorted(task);
  got.values = values;
  return check_sort(task, sorted(task), got, kPoison).reason;
}

TEST(SortCheck, WhatIsSortedMatches) {
  EXPECT_EQ(said_of({3, 1, 2}, {1, 2, 3}), "");
  EXPECT_EQ(said_of({}, {}), "");
  EXPECT_EQ(said_of({0x80000000, 5}, {0x80000000, 5}, KeyType::signed_ints), "");
}

TEST(SortCheck, KeysThatAreLostAreNamed) {
  EXPECT_EQ(
      said_of({5, 9, 5, 1}, {1, 5, 9, 9}),
      "key at place 2: expected 5, found 9; 1 key is lost: 5 (2 times in the input, once in the output); in its "
      "place stands 9 (once in the input, 2 times in the output, at places 2 and 3: is an element read again after it "
      "was taken, or do the parts of two threads overlap?)");
  EXPECT_EQ(said_of({4, 3, 2, 1}, {1, 2, 1, 4}),
            "key at place 2: expected 3, found 1; 1 key is lost: 3 (once in the input, never in the output); in its "
            "place stands 1 (once in the input, 2 times in the output, at places 0 and 2)");
  EXPECT_EQ(said_of({4, 3, 2, 1}, {7, 7, 7, 1}),
            "key at place 0: expected 1, found 7; 3 keys are lost, the first of them 2 (once in the input, never in "
            "the output); in their place stands, first of all, 7 (never in the input, 3 times in the output)");
}

// A kernel may have written the same bits: so nothing is said of who wrote them.
TEST(SortCheck, WhatMemoryHoldsThatNobodyWroteIsSaid) {
  EXPECT_EQ(said_of({2, 1}, {kPoison, kPoison}),
            "key at place 0: expected 1, found 2779096485; every key of the output "
            "holds what memory holds that nobody wrote, 0xa5a5a5a5");
  EXPECT_EQ(said_of({3, 2, 1}, {1, 2, kPoison}),
            "key at place 2: expected 3, found 2779096485; 1 key holds what memory "
            "holds that nobody wrote, 0xa5a5a5a5; as many are lost, the first of them 3");
  const SortTask task{kTypes[0], {{3, 2, 1}, {}}, false};
  EXPECT_EQ(check_sort(task, sorted(task), {{1, 0xFFFFFFFF, 0xFFFFFFFF}, {}}, 0xFFFFFFFF).pattern,
            "2 keys hold what memory holds that nobody wrote, 0xffffffff, which is the last of all keys, too; as many "
            "are lost, the first of them 2");
  EXPECT_EQ(said_of({kPoison, 1}, {kPoison, 1}),
            "key at place 0: expected 1, found 2779096485; all keys are there, "
            "but nothing has been sorted: they stand as in the input");
}

TEST(SortCheck, AnOrderThatIsAnotherIsNamed) {
  const std::string all = "all keys are there, but ";
  const auto ends = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  EXPECT_TRUE(ends(said_of({2, 3, 1}, {3, 2, 1}), all + "they fall"));
  EXPECT_TRUE(ends(said_of({0xFFFFFFFF, 5, 2}, {2, 5, 0xFFFFFFFF}, KeyType::signed_ints),
                   all + "they stand in the order of their bits, as if these were unsigned"));
  EXPECT_TRUE(ends(said_of({0xC0000000, 0x3F800000, 0xBF800000}, {0xBF800000, 0xC0000000, 0x3F800000}, KeyType::floats),
                   all + "they stand in the order of their bits, as if these were signed ints"));
  EXPECT_EQ(said_of({4, 3, 2, 1, 0}, {1, 0, 3, 2, 4}),
            "key at place 0: expected 0, found 1; all keys are there, but 2 "
            "stand behind a larger one; the first is 0 at place 1, behind 1");
  Words keys = make_keys(Keys::uniform, kTypes[0], 300, 1), runs = keys;
  for (std::size_t begin = 0; begin < 300; begin += 64) {
    std::sort(runs.begin() + static_cast<std::ptrdiff_t>(begin),
              runs.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(begin + 64, 300)));
  }
  EXPECT_TRUE(ends(said_of(keys, runs), all + "they are in order only within each 64 places"));
}

// A sort by digits whose last pass is not by the highest.
TEST(SortCheck, ADigitByWhichTheyStandInOrderIsNamed) {
  for (const KeyType type : kTypes) {
    const Words keys = make_keys(Keys::uniform, type, 40, 1);
    for (const unsigned low : {0u, 8u, 16u, 24u}) {
      Words by_digit = keys;
      std::stable_sort(by_digit.begin(), by_digit.end(), [&](auto a, auto b) {
        return (ordinal_of(a, type) >> low & 0xFF) < (ordinal_of(b, type) >> low & 0xFF);
      });
      const std::string said = said_of(keys, by_digit, type);
      const std::string of = type == kTypes[0] ? "" : " of ordinal_of(key)";
      const std::string digit = low == 0 ? "their lowest 8 bits" : low == 8 ? "bits 8 to 15" : "bits 16 to 23";
      const std::string named = "they stand in the order of " + digit + of + ", and not of those above";
      EXPECT_EQ(said.find(named) != std::string::npos, low < 24) << said;
    }
  }
  EXPECT_EQ(said_of({5, 0x104, 3}, {3, 0x104, 5}).find("bits"), std::string::npos);  // of three it may be chance
  const SortTask task{kTypes[0], {{5, 0x104, 3}, {}}, false};
  EXPECT_EQ(check_sort(task, sorted(task), {{3, 0x104, 5}, {}}, kPoison).pattern, "");
}

TEST(SortCheck, AValueMustGoWithItsKey) {
  const Words keys{5, 9, 5, 1};
  EXPECT_EQ(said_of_values(keys, {3, 0, 2, 1}, true), "");
  EXPECT_EQ(said_of_values(keys, {3, 2, 0, 1}, false), "");
  EXPECT_EQ(said_of_values(keys, {3, 2, 0, 1}, true),
            "value at place 1: expected 0, found 2: both have key 5, and records with the same key must keep the order "
            "of the input (a stable sort)");
  EXPECT_EQ(said_of_values(keys, places(4), false),
            "value at place 0: found 0 beside key 1, and in the input that value belongs to key 5: a value must go "
            "wherever its key goes");
  EXPECT_EQ(said_of_values(keys, {3, 0, 0, 1}, false),
            "value at place 2: found 0, as at place 1 already: of two records with key 5 one is there twice, and the "
            "other is lost");
  EXPECT_EQ(said_of_values(keys, {3, 0, 70, 1}, false),
            "value at place 2: found 70; the values of the input are 0 to 3");
  EXPECT_EQ(
      said_of_values(keys, {3, kPoison, 2, 1}, false),
      "value at place 1: found 2779096485, which is what memory holds that nobody wrote; the values of the input are 0 "
      "to 3");
}

TEST(SortCheck, KeysAsPeopleReadThem) {
  EXPECT_EQ(text_of_key(0xFFFFFFFF, KeyType::unsigned_ints), "4294967295");
  EXPECT_EQ(text_of_key(0xFFFFFFFF, KeyType::signed_ints), "-1");
  EXPECT_EQ(text_of_key(0x80000000, KeyType::floats), "-0");
  EXPECT_EQ(text_of_key(0xFFC00000, KeyType::floats), "NaN (0xffc00000)");
}

}  // namespace
}  // namespace workbook
