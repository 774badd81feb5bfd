// SPDX-License-Identifier: MIT
// The problem of stages that define search_sorted_on_device().
#include "workbook/problem/searches/binary_search/binary_search_problem.h"
#include "workbook/student/binary_search.h"

const workbook::Problem& this_problem() {
  static const workbook::SearchProblem problem{{nullptr, &search_sorted_on_device, true}};
  return problem;
}
