// SPDX-License-Identifier: MIT
// family: sorts tiles
// The problem of stages that define sort_on_device(), and do not keep the order of equal keys.
#include "workbook/sort.h"

#include "workbook/sort_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SortProblem problem{{}, &sort_on_device};
  return problem;
}
