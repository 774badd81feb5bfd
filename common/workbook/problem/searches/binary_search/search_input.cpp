// SPDX-License-Identifier: MIT
// Tables and queries by their ordinals; key_of() turns these into keys of a type.
#include "workbook/problem/searches/binary_search/search_input.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace workbook {
namespace {

constexpr std::uint32_t kLast = 0xFFFFFFFFu;

// The number of bits of `number`: 0, 1, 2, 2, 3, 3, 3, 3, ...
std::uint64_t bits_of(std::uint64_t number) {
  std::uint64_t bits = 0;
  for (; number > 0; number /= 2) ++bits;
  return bits;
}

std::uint32_t ordinal_at(TableKeys keys, std::uint64_t place, std::uint64_t n, std::uint32_t first,
                         std::uint32_t seed) {
  constexpr std::uint64_t kShortRun = 7;
  switch (keys) {
    case TableKeys::spread:
      break;
    case TableKeys::neighbours: {
      const std::uint64_t middle = first + (kLast - first) / 2;
      return static_cast<std::uint32_t>(middle + 1 - std::min(middle + 1 - first, n / 2) + place);
    }
    case TableKeys::runs:
      return spread_ordinal(bits_of(place), bits_of(n) + 1, first, seed);
    case TableKeys::short_runs:
      return spread_ordinal(place / kShortRun, n / kShortRun + 1, first, seed);
    case TableKeys::equal:
      return first + (kLast - first) / 2 + 43;
    case TableKeys::extremes:
      return place < n / 2 ? first : kLast;
  }
  return spread_ordinal(place, n, first, seed);
}

// Query number `j` of m.
std::uint32_t query_at(Queries queries, std::uint64_t j, std::uint64_t m, const std::vector<std::uint32_t>& table,
                       std::uint32_t seed) {
  const std::uint32_t bits = mixed_bits(seed + 1, j);
  if (table.empty()) return bits;
  switch (queries) {
    case Queries::uniform:
      break;
    case Queries::around: {
      const std::uint64_t triples = (m + 2) / 3;
      const std::uint64_t place = triples >= table.size() ? j / 3 % table.size() : j / 3 * table.size() / triples;
      return table[place] + static_cast<std::uint32_t>(j % 3) - 1;  // It may wrap around, which gives a query, too.
    }
    case Queries::ends: {
      const std::uint32_t ends[] = {0, kLast, table.front() - 1, table.front(), table.back(), table.back() + 1};
      return ends[bits % 6];
    }
    case Queries::equal:
      return table[table.size() / 2];
    case Queries::clustered:
      return 0x60000000u + bits / 256;
  }
  return bits;
}

}  // namespace

std::vector<std::string> table_keys_names() {
  return {"spread", "neighbours", "runs", "short-runs", "equal", "extremes"};
}
std::vector<std::string> queries_names() { return {"uniform", "around", "ends", "equal", "clustered"}; }

std::vector<std::uint32_t> table_ordinals(TableKeys keys, std::size_t n, std::uint32_t first, std::uint32_t seed) {
  std::vector<std::uint32_t> table(n);
  for (std::size_t i = 0; i < n; ++i) table[i] = ordinal_at(keys, i, n, first, seed);
  return table;
}

std::vector<std::uint32_t> query_ordinals(Queries queries, std::size_t m, const std::vector<std::uint32_t>& table,
                                          bool are_sorted, std::uint32_t seed) {
  std::vector<std::uint32_t> ordinals(m);
  for (std::size_t j = 0; j < m; ++j) ordinals[j] = query_at(queries, j, m, table, seed);
  if (are_sorted) std::sort(ordinals.begin(), ordinals.end());
  return ordinals;
}

std::string text_of_search_key(std::uint32_t key, KeyType type) {
  if (type == KeyType::unsigned_ints) return std::to_string(key);
  if (type == KeyType::signed_ints) return std::to_string(static_cast<std::int32_t>(key));
  float number = 0.0f;
  std::memcpy(&number, &key, sizeof number);
  char text[40];
  if (std::isnan(number)) {
    std::snprintf(text, sizeof text, "NaN (0x%08x)", key);
  } else {
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(number));
  }
  return text;
}

}  // namespace workbook
