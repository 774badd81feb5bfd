// SPDX-License-Identifier: MIT
// The problem of stages that define reverse_on_device().
#include "workbook/problem/example/reverse/reverse.h"

#include "workbook/problem/example/reverse/reverse_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::ArrayProblem problem(workbook::reverse_task(&reverse_on_device));
  return problem;
}
