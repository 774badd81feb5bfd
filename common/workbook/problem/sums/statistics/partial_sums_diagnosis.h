// SPDX-License-Identifier: MIT
// Of elements that a sum has lost, or has counted too often: whether the sums of the blocks are wrong already, and
// which of them is the first. Pure: the function is asked by whoever calls.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workbook/judge/element_counts.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

/// What the function is asked for, with the block and the size of the case, unless said otherwise.
struct QuestionsOfBlocks {
  /// What is left of an input that is 1 where `which`, and 0 elsewhere; no `of_blocks` where nobody can look.
  std::function<PartialSums(const std::vector<bool>& which)> partial_sums;
  /// How often each element of an input of `size` elements is in the sum.
  std::function<std::vector<double>(std::size_t size)> times_alone;
  bool are_states = false;  ///< the partial sums are of a type of the stage's own, a number perhaps
};

/// A sentence with a space before it, or "" where the answers have no simple meaning. `tally` is not right.
std::string words_of_blocks(const Tally& tally, const QuestionsOfBlocks& ask);

}  // namespace workbook
