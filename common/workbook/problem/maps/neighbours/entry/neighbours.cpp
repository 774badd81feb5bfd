// SPDX-License-Identifier: MIT
// The problem of stages that define add_neighbours_on_device().
#include "workbook/student/neighbours.h"

#include "workbook/problem/maps/neighbours/neighbours_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::ArrayProblem problem(workbook::neighbours_task(&add_neighbours_on_device));
  return problem;
}
