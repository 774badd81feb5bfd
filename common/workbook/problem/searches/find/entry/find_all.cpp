// SPDX-License-Identifier: MIT
// The problem of stages that define find_all_on_device().
#include "workbook/problem/searches/find/find_problem.h"
#include "workbook/student/find.h"

const workbook::Problem& this_problem() {
  static const workbook::FindProblem problem(
      workbook::FindAllFunctions{&find_all_on_device<unsigned>, &find_all_on_device<int>, &find_all_on_device<float>});
  return problem;
}
