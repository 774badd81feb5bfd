// SPDX-License-Identifier: MIT
// The reference of a sort, and the check of its output. Possible mistakes: wrong order, keys lost or doubled, a value
// at another key, equal keys in another order. It uses no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/case/verdict.h"
#include "workbook/student/sort.h"

namespace workbook {

/// The beginning of what is said of a wrong order.
constexpr const char kAllAreThere[] = "all keys are there, but ";

/// Whether key a must stand before key b. It follows the definition of the order, without ordinal_of(), which stages
/// use.
bool comes_before(std::uint32_t a, std::uint32_t b, KeyType type);

/// A key as text: 7, -7, 0.5, NaN (0x7fc00000).
std::string text_of_key(std::uint32_t key, KeyType type);

/// Records in host memory.
struct HostRecords {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> values;  ///< empty: keys alone
};

/// The task of a sort.
struct SortTask {
  KeyType type = KeyType::unsigned_ints;
  HostRecords input;       ///< The values are the numbers from 0 to n - 1, each once, in any order.
  bool is_stable = false;  ///< Records with the same key keep their order.
};

/// The input, sorted by std::stable_sort.
HostRecords sorted(const SortTask& task);

/// Judges the output of a sort. `expected`: sorted(task). `poison`: the value of an unwritten word.
Verdict check_sort(const SortTask& task, const HostRecords& expected, const HostRecords& got, std::uint32_t poison);

}  // namespace workbook
