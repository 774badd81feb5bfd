// SPDX-License-Identifier: MIT
// benchmark: sort
// The problem of stages that define sort_on_device(), and keep the order of equal keys.
#include "workbook/problem/sorts/sort/sort_problem.h"
#include "workbook/student/sort.h"

const workbook::Problem& this_problem() {
  static const workbook::SortProblem problem{{workbook::SortPromise{}.largest, true}, &sort_on_device};
  return problem;
}
