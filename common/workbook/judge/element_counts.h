// SPDX-License-Identifier: MIT
// How often each element went into a result, in words. Pure: who counts them is problem.h's business.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook {

struct Tally {
  std::string thing;           ///< "element"
  std::string result;          ///< "sum"
  std::vector<double> times;   ///< how often each of them went into the result
  std::vector<double> wanted;  ///< how often it should have; empty: once each
  std::size_t block_threads = 0;

  double wanted_at(std::size_t i) const { return wanted.empty() ? 1.0 : wanted[i]; }
};

/// Whether each went in as often as it should have.
bool is_right(const Tally& tally);

/// "4 of the 100 elements are not in the sum: elements 96 to 99, the last 4.", "Every element is counted 32 times.",
/// ...: nothing but what was counted. Empty where all is right.
std::string words_of(const Tally& tally);

}  // namespace workbook
