// SPDX-License-Identifier: MIT
// links: tiles
// The problem of stages that define sort_on_device(), and do not keep the order of equal keys.
#include "workbook/student/sort.h"

#include "workbook/problem/sorts/sort/sort_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SortProblem problem{{}, &sort_on_device};
  return problem;
}
