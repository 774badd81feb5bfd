// SPDX-License-Identifier: MIT
// The problem of stages that define integrate_on_device().
#include "workbook/integration.h"

#include "workbook/integration_problem.h"

namespace workbook {

const Problem& this_problem() {
  static const IntegrationProblem problem{&integrate_on_device};
  return problem;
}

}  // namespace workbook
