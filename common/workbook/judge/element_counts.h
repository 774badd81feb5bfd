// SPDX-License-Identifier: MIT
// Element counts: how often each element went into a result, in words. It uses no device; a problem counts the
// elements.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook {

/// The count of each element in a result, beside the wanted count.
struct ElementCounts {
  std::string thing;           ///< Example: "element".
  std::string result;          ///< Example: "sum".
  std::vector<double> times;   ///< How often each element went into the result.
  std::vector<double> wanted;  ///< How often it should. Empty: once each.
  std::size_t block_threads = 0;

  double wanted_at(std::size_t i) const { return wanted.empty() ? 1.0 : wanted[i]; }
};

/// Whether each element went in as often as it should.
bool is_right(const ElementCounts& counts);

/// Sentences on the counts alone, or empty where all counts are right. Example: "4 of the 100 elements are not in the
/// sum: elements 96 to 99, the last 4." Another example: "Every element is counted 32 times."
std::string describe(const ElementCounts& counts);

}  // namespace workbook
