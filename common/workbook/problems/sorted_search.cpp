// SPDX-License-Identifier: MIT
// family: searches
// The problem of stages that define search_sorted_on_device().
#include "workbook/binary_search.h"
#include "workbook/binary_search_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SearchProblem problem{{nullptr, &search_sorted_on_device, true}};
  return problem;
}
