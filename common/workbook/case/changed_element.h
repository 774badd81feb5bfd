// SPDX-License-Identifier: MIT
// One element of an input becomes another one, and the result must change as the reference does (metamorphic testing).
// A grader draws which one. So a function that looks at a part of its input and gives an earlier result again is wrong.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// The same values where Settings::changed is not given. Otherwise an element near the one that it draws takes the
/// value of the next element, so that the values stay of their kind, and sorted ones stay sorted. Equal values stay as
/// they are.
template <typename T>
std::vector<T> with_change(std::vector<T> values, const std::optional<std::uint64_t>& changed) {
  for (std::size_t tried = 0; changed && tried < values.size(); ++tried) {
    const std::size_t at = static_cast<std::size_t>((*changed + tried) % values.size());
    if (at + 1 == values.size() || std::memcmp(&values[at], &values[at + 1], sizeof(T)) == 0) continue;
    values[at] = values[at + 1];
    break;
  }
  return values;
}

}  // namespace workbook
