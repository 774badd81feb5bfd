// SPDX-License-Identifier: MIT
// family: searches
// The problem of stages that define find_all_on_device().
#include "workbook/find.h"
#include "workbook/find_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::FindProblem problem(
      workbook::FindAllFunctions{&find_all_on_device<unsigned>, &find_all_on_device<int>, &find_all_on_device<float>});
  return problem;
}
