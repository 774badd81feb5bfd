// SPDX-License-Identifier: MIT
// The problem of stages that define integrate_on_device().
#include "workbook/student/integration.h"

#include "workbook/problem/sums/integration/integration_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::IntegrationProblem problem{&integrate_on_device};
  return problem;
}
