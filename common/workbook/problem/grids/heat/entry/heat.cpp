// SPDX-License-Identifier: MIT
// The problem of stages that define heat_step_on_device().
#include "workbook/student/grids/heat.h"

#include "workbook/problem/grids/heat/heat_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::HeatProblem problem{&heat_step_on_device};
  return problem;
}
