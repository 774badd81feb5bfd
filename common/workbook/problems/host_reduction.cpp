// SPDX-License-Identifier: MIT
// family: sums
// The problem of stages that define reduce(): the host's steps, too.
#include "workbook/reduction.h"
#include "workbook/statistics_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::StatisticsProblem problem{&reduce};
  return problem;
}
