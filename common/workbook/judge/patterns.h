// SPDX-License-Identifier: MIT
// What the wrong elements of an array have in common. A pattern has a name, and a sentence that holds for every wrong
// element.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workbook/judge/compare.h"

namespace workbook {

/// "element 7", or "row 3, column 7" of a matrix.
std::string index_text(const Words& array, std::size_t i);

/// The elements of an array that are wrong, one at least.
struct WrongElements {
  WrongElements(const Words& got, const Words& expected, const Explanations& explanations, std::vector<bool> mask);

  const Words& got;
  const Words& expected;
  const Explanations& explanations;
  std::vector<bool> mask;         ///< of each element
  std::size_t count = 0;          ///< how many are wrong
  std::vector<std::size_t> list;  ///< their places, as many as memory allows
};

struct Pattern {
  std::string name;      ///< "tail": a row of the table in patterns.cpp; "" where there is none
  std::string sentence;  ///< "all from element 96 on"
};
Pattern pattern_of(const WrongElements& wrong);

}  // namespace workbook
