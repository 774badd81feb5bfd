// SPDX-License-Identifier: MIT
// The texts of a problem's numbers, and lists of cases.
#include "workbook/case/problem.h"

namespace workbook {

const char* name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::quick:
      return "quick";
    case Purpose::hostile:
      return "hostile";
    case Purpose::full:
      return "full";
    case Purpose::lesson:
      return "lesson";
    case Purpose::bench:
      return "bench";
  }
  return "unknown";
}

std::vector<Settings> with_blocks(const std::vector<Settings>& bases, const std::vector<dim3>& shapes) {
  std::vector<Settings> cases;
  cases.reserve(bases.size() * shapes.size());
  for (Settings settings : bases) {
    for (const dim3& shape : shapes) {
      settings.block = shape;
      cases.push_back(settings);
    }
  }
  return cases;
}

std::vector<Settings> with_blocks_in_turn(const std::vector<Settings>& bases, const std::vector<dim3>& shapes) {
  std::vector<Settings> cases = bases;
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].block = shapes[i % shapes.size()];
  return cases;
}

BlockRule powers_of_two(unsigned smallest, unsigned largest, unsigned standard) {
  BlockRule rule{"a power of two from " + std::to_string(smallest) + " to " + std::to_string(largest), {}, {standard}};
  for (unsigned x = smallest; x <= largest; x *= 2) rule.shapes.emplace_back(x);
  return rule;
}

}  // namespace workbook
