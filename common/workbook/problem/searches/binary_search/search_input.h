// SPDX-License-Identifier: MIT
// Sorted tables and queries that are difficult for a search. A key is a function of its place, so that a benchmark can
// make the same table on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/key_order.h"

namespace workbook {

/// The distributions of a table's keys.
enum class TableKeys : std::uint8_t {
  spread,      ///< Over all keys of the type, none of them twice.
  neighbours,  ///< Consecutive keys around the middle of the order, which is 0 for a type with signs.
  runs,        ///< The same key 1, 2, 4, 8, ... times.
  short_runs,  ///< The same key seven times.
  equal,       ///< One key.
  extremes,    ///< The first key of the order, and from the middle on the last.
};

/// The distributions of queries.
enum class Queries : std::uint8_t {
  uniform,    ///< Any key of the type.
  around,     ///< Each key of the table with the keys just before and behind it, as far as there are queries.
  ends,       ///< The first and the last key of the type and of the table, and those just outside of the table.
  equal,      ///< One key of the table.
  clustered,  ///< Keys from one part in 256 of the type.
};

std::vector<std::string> table_keys_names();
std::vector<std::string> queries_names();

/// A hash of 32 bits, as random numbers.
__host__ __device__ inline std::uint32_t mixed_bits(std::uint32_t seed, std::uint64_t place) {
  std::uint64_t z = (place + 1) * 0x9E3779B97F4A7C15ull + seed * 0xD1B54A32D192ED03ull;  // SplitMix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
}

/// Key number `place` of n keys that are spread over the ordinals from `first` on, as an ordinal.
__host__ __device__ inline std::uint32_t spread_ordinal(std::uint64_t place, std::uint64_t n, std::uint32_t first,
                                                        std::uint32_t seed) {
  const std::uint64_t all = (std::uint64_t{1} << 32) - first;
  // Computes place * all / n, whose product may need more than 64 bits: whole steps, and the rest of a division.
  const std::uint64_t step = all / n, rest = all % n;
  const std::uint64_t begin = place * step + place * rest / n, end = (place + 1) * step + (place + 1) * rest / n;
  const std::uint64_t chosen = end > begin ? begin + mixed_bits(seed, place) % (end - begin) : begin;
  return first + static_cast<std::uint32_t>(chosen);
}

/// The ordinals of a table of n keys, none before `first`, which never fall.
std::vector<std::uint32_t> table_ordinals(TableKeys keys, std::size_t n, std::uint32_t first, std::uint32_t seed);

/// The ordinals of m queries to this table; sorted where `sorted` asks for it.
std::vector<std::uint32_t> query_ordinals(Queries queries, std::size_t m, const std::vector<std::uint32_t>& table,
                                          bool are_sorted, std::uint32_t seed);

/// A key as text: 7, -7, 0.5, NaN (0x7fc00000).
std::string text_of_search_key(std::uint32_t key, KeyType type);

}  // namespace workbook
