// SPDX-License-Identifier: MIT
// The problem of stages that define find_on_device().
#include "workbook/student/find.h"

#include "workbook/problem/searches/find/find_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::FindProblem problem(
      workbook::FindFunctions{&find_on_device<unsigned>, &find_on_device<int>, &find_on_device<float>});
  return problem;
}
