// SPDX-License-Identifier: MIT
// The diagnosis of partial sums, for elements that a sum lost or counted too often. It finds whether the sums of the
// blocks are wrong already, and which is the first. It uses no device; the caller runs the function.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workbook/judge/element_counts.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

/// The questions to the function, with the block and the size of the case, unless stated otherwise.
struct QuestionsOfBlocks {
  /// The partial sums for an input that is 1 where `which`, and 0 elsewhere. Without `of_blocks` where they are not
  /// readable.
  std::function<PartialSums(const std::vector<bool>& which)> partial_sums;
  /// How often each element of an input of `size` elements is in the sum.
  std::function<std::vector<double>(std::size_t size)> times_alone;
  bool are_states = false;  ///< The partial sums have a type of the stage's own, perhaps a number.
};

/// A sentence with a space before it, or "" where the answers have no simple meaning. `counts` is not right.
std::string describe_blocks(const ElementCounts& counts, const QuestionsOfBlocks& ask);

}  // namespace workbook
