// SPDX-License-Identifier: MIT
// Patterns: what the wrong elements of an array have in common. A pattern has a name, and a sentence that holds for
// every wrong element.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workbook/judge/compare.h"

namespace workbook {

/// The index of an element: "element 7", or "row 3, column 7" in a matrix.
std::string index_text(const Words& array, std::size_t i);

/// The wrong elements of an array, at least one.
struct WrongElements {
  WrongElements(const Words& got, const Words& expected, const Explanations& explanations, std::vector<bool> mask);

  const Words& got;
  const Words& expected;
  const Explanations& explanations;
  std::vector<bool> mask;         ///< Whether each element is wrong.
  std::size_t count = 0;          ///< The number of wrong elements.
  std::vector<std::size_t> list;  ///< Their indices, as many as memory allows.
};

/// A pattern of wrong elements.
struct Pattern {
  std::string name;      ///< Example: "tail", a row of the table in patterns.cpp. Empty where there is none.
  std::string sentence;  ///< Example: "all from element 96 on".
};
Pattern pattern_of(const WrongElements& wrong);

}  // namespace workbook
