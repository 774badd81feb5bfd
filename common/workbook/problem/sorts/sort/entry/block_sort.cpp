// SPDX-License-Identifier: MIT
// benchmark: sort
// The problem of stages that define sort_on_device() for as many keys as one block can hold.
#include "workbook/problem/sorts/sort/sort_problem.h"
#include "workbook/student/sort.h"

const workbook::Problem& this_problem() {
  static const workbook::SortProblem problem{{workbook::kLargestBlockSort, false}, &sort_on_device};
  return problem;
}
