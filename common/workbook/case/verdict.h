// SPDX-License-Identifier: MIT
// What a comparison with the reference found, for a number (an array of one element) and for arrays. Values only: the
// comparison is in compare.h, the words for people in report.h.
#pragma once

#include <cstddef>
#include <string>

namespace workbook {

struct Verdict {
  bool matches = false;
  double error = 0.0;           ///< the largest |got - expected|
  double relative_error = 0.0;  ///< that error / |expected|; 0 when both are the same NaN, infinity or 0
  double bound = 0.0;           ///< what that error must not exceed; 0: to the bit
  std::string reason;           ///< empty when it matches, else one sentence: what is wrong

  // Of an array. A number leaves these as they are.
  std::size_t elements = 1;  ///< that were compared
  std::size_t wrong = 0;     ///< that do not match
  std::string first_index;   ///< "row 3, column 7": the first that does not
  std::string first_expected;
  std::string first_got;
  std::string pattern;       ///< "every wrong element is in row 3"; empty where there is none
  std::string pattern_name;  ///< its row in judge/patterns.cpp: "tail"
};

}  // namespace workbook
