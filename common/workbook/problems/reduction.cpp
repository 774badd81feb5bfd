// SPDX-License-Identifier: MIT
// family: sums
// The problem of stages that define reduce_on_device().
#include "workbook/reduction.h"

#include "workbook/statistics_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::StatisticsProblem problem{&reduce_on_device};
  return problem;
}
