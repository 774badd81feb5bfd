// SPDX-License-Identifier: MIT
// The result of a comparison with the reference, for a number (an array of one element) and for arrays. It holds values
// only: compare.h compares, and report.h makes the text.
#pragma once

#include <cstddef>
#include <string>

namespace workbook {

/// A verdict: the result of a comparison with the reference.
struct Verdict {
  bool matches = false;
  double error = 0.0;           ///< The largest |got - expected|.
  double relative_error = 0.0;  ///< That error / |expected|. It is 0 when both are the same NaN, infinity or 0.
  double bound = 0.0;           ///< The largest error that is allowed. 0: every bit must match.
  std::string reason;           ///< Empty when it matches, else one sentence on what is wrong.

  // For arrays only; a number leaves these members as they are.
  std::size_t elements = 1;  ///< The elements that were compared.
  std::size_t wrong = 0;     ///< The elements that do not match.
  std::string first_index;   ///< The first element that does not match: "row 3, column 7".
  std::string first_expected;
  std::string first_got;
  std::string pattern;       ///< Example: "every wrong element is in row 3". Empty where there is none.
  std::string pattern_name;  ///< Its row in judge/patterns.cpp: "tail".
};

}  // namespace workbook
