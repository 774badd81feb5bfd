// SPDX-License-Identifier: MIT
// family: sorts
// The problem of stages that define sort_on_device() for as many keys as one block can hold.
#include "workbook/sort.h"
#include "workbook/sort_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SortProblem problem{{workbook::kLargestBlockSort, false}, &sort_on_device};
  return problem;
}
