// SPDX-License-Identifier: MIT
// The order of keys, as it is said in words, and tables that follow it.
#include "workbook/problem/searches/binary_search/search_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

namespace workbook {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(KeyOrder, RisesAsItIsSaid) {
  const std::vector<std::uint32_t> floats{
      bits_of(-INFINITY), bits_of(-1.0f),    0x80000001u, 0x80000000u, 0u,          1u,
      bits_of(1.0f),      bits_of(INFINITY), 0x7F800001u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0xFF800001u};
  for (std::size_t i = 0; i + 1 < floats.size(); ++i) {
    EXPECT_LT(ordinal_of(floats[i], KeyType::floats), ordinal_of(floats[i + 1], KeyType::floats)) << i;
  }
  EXPECT_EQ(ordinal_of(floats.front(), KeyType::floats), 0u);
  EXPECT_EQ(ordinal_of(floats.back(), KeyType::floats), 0xFFFFFFFFu);
  EXPECT_EQ(ordinal_of(0x80000000u, KeyType::signed_ints), 0u);
  EXPECT_EQ(ordinal_of(0x7FFFFFFFu, KeyType::signed_ints), 0xFFFFFFFFu);
}

TEST(KeyOrder, EachKeyHasItsOwnOrdinal) {
  for (const KeyType type : {KeyType::unsigned_ints, KeyType::signed_ints, KeyType::floats}) {
    for (std::uint64_t ordinal = 0; ordinal < 0x100000000u; ordinal += 65'521) {
      EXPECT_EQ(ordinal_of(key_of(static_cast<std::uint32_t>(ordinal), type), type), ordinal);
    }
  }
}

TEST(TableOrdinals, NeverFall) {
  for (std::size_t kind = 0; kind < table_keys_names().size(); ++kind) {
    for (const std::size_t n : {0u, 1u, 2u, 7u, 100u, 4099u}) {
      for (const std::uint32_t first : {0u, 0x807FFFFFu}) {
        const std::vector<std::uint32_t> table = table_ordinals(static_cast<TableKeys>(kind), n, first, 3);
        EXPECT_EQ(table.size(), n);
        EXPECT_TRUE(std::is_sorted(table.begin(), table.end())) << table_keys_names()[kind] << " " << n;
        EXPECT_TRUE(table.empty() || table.front() >= first) << table_keys_names()[kind] << " " << n;
      }
    }
  }
}

TEST(TableOrdinals, AreWhatTheirNameSays) {
  const auto distinct = [](TableKeys keys, std::size_t n) {
    const std::vector<std::uint32_t> table = table_ordinals(keys, n, 0, 3);
    return std::set<std::uint32_t>(table.begin(), table.end()).size();
  };
  EXPECT_EQ(distinct(TableKeys::spread, 4099), 4099u);
  EXPECT_EQ(distinct(TableKeys::neighbours, 4099), 4099u);
  EXPECT_EQ(distinct(TableKeys::runs, 4099), 14u);  // 1 + 1 + 2 + 4 + ... + 2048, and the rest
  EXPECT_EQ(distinct(TableKeys::short_runs, 70), 10u);
  EXPECT_EQ(distinct(TableKeys::equal, 4099), 1u);
  const std::vector<std::uint32_t> table = table_ordinals(TableKeys::neighbours, 9, 0, 3);
  for (std::size_t i = 0; i + 1 < table.size(); ++i) EXPECT_EQ(table[i] + 1, table[i + 1]);
  EXPECT_EQ(table[4], 0x80000000u);
}

TEST(QueryOrdinals, AroundMeetsEveryKeyAndItsNeighbours) {
  const std::vector<std::uint32_t> table = table_ordinals(TableKeys::spread, 50, 0, 3);
  const std::vector<std::uint32_t> queries = query_ordinals(Queries::around, 150, table, false, 3);
  const std::set<std::uint32_t> met(queries.begin(), queries.end());
  for (const std::uint32_t key : table) {
    for (const std::uint32_t near : {key - 1, key, key + 1}) EXPECT_EQ(met.count(near), 1u);
  }
}

TEST(QueryOrdinals, EndsAreThoseOfTheOrderAndOfTheTable) {
  const std::vector<std::uint32_t> table = table_ordinals(TableKeys::spread, 50, 0, 3);
  const std::vector<std::uint32_t> queries = query_ordinals(Queries::ends, 100, table, true, 3);
  EXPECT_TRUE(std::is_sorted(queries.begin(), queries.end()));
  EXPECT_EQ(
      std::set<std::uint32_t>(queries.begin(), queries.end()),
      (std::set<std::uint32_t>{0, 0xFFFFFFFFu, table.front() - 1, table.front(), table.back(), table.back() + 1}));
}

TEST(QueryOrdinals, AnEmptyTableHasQueriesToo) {
  for (std::size_t kind = 0; kind < queries_names().size(); ++kind) {
    EXPECT_EQ(query_ordinals(static_cast<Queries>(kind), 5, {}, false, 3).size(), 5u);
  }
}

TEST(TextOfSearchKey, IsWhatPeopleRead) {
  EXPECT_EQ(text_of_search_key(0xFFFFFFF9u, KeyType::unsigned_ints), "4294967289");
  EXPECT_EQ(text_of_search_key(0xFFFFFFF9u, KeyType::signed_ints), "-7");
  EXPECT_EQ(text_of_search_key(bits_of(0.5f), KeyType::floats), "0.5");
  EXPECT_EQ(text_of_search_key(0x80000000u, KeyType::floats), "-0");
  EXPECT_EQ(text_of_search_key(0x7FC00000u, KeyType::floats), "NaN (0x7fc00000)");
}

}  // namespace
}  // namespace workbook
