// SPDX-License-Identifier: MIT
// The problem of stages that define heat_steps_on_device().
// benchmark: heat
#include "workbook/problem/grids/heat/heat_problem.h"
#include "workbook/student/grids/heat.h"

const workbook::Problem& this_problem() {
  static const workbook::HeatProblem problem{&heat_steps_on_device};
  return problem;
}
