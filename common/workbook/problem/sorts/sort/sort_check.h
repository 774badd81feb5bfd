// SPDX-License-Identifier: MIT
// What a sort should give, and what is wrong with what it gave: not in order, keys lost or doubled, a value that is not
// its key's, equal keys in another order. Pure: no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/case/verdict.h"
#include "workbook/student/sort.h"

namespace workbook {

/// Whether key a must stand before key b. Written as the order is said in words, without ordinal_of(), which stages
/// use.
bool comes_before(std::uint32_t a, std::uint32_t b, KeyType type);

/// A key as people read it: 7, -7, 0.5, NaN (0x7fc00000).
std::string text_of_key(std::uint32_t key, KeyType type);

struct HostRecords {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> values;  ///< empty: keys alone
};

/// What is asked of a sort.
struct SortTask {
  KeyType type = KeyType::unsigned_ints;
  HostRecords input;       ///< as values the numbers from 0 to n - 1, each once, in any order
  bool is_stable = false;  ///< records with the same key keep their order
};

/// The input sorted by std::stable_sort.
HostRecords sorted(const SortTask& task);

/// Judges what a sort gave. `expected`: sorted(task). `poison`: what a word holds that nobody wrote.
Verdict check_sort(const SortTask& task, const HostRecords& expected, const HostRecords& got, std::uint32_t poison);

}  // namespace workbook
