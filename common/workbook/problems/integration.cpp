// SPDX-License-Identifier: MIT
// family: sums
// The problem of stages that define integrate_on_device().
#include "workbook/integration.h"

#include "workbook/integration_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::IntegrationProblem problem{&integrate_on_device};
  return problem;
}
