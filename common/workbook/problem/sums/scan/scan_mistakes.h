// SPDX-License-Identifier: MIT
// What a wrong scan comes down to: which elements are in a sum that does not match.
#pragma once

#include <string>
#include <vector>

#include "workbook/problem/sums/scan/scan_input.h"

namespace workbook {

/// The scan as it is asked for.
template <typename T>
struct ScanAsked {
  Scan scan;
  Elements elements;
  std::size_t tile;  ///< Each so many elements are scanned by themselves.
  const std::vector<T>& input;
  const std::vector<T>& expected;
};

/// A clause that explains the wrong elements: "; what lies before each 128 elements is missing: ...". Empty where none
/// is sure, and for floats, whose sums are rounded. Numbers that are all 1 do not tell which of them are in a sum.
template <typename T>
std::string known_scan_mistake(const ScanAsked<T>& asked, const std::vector<T>& got);

}  // namespace workbook
