// SPDX-License-Identifier: MIT
// benchmark: reduction
// The problem of stages that define reduce(): the host's steps, too.
#include "workbook/problem/sums/statistics/statistics_problem.h"
#include "workbook/student/reduction.h"

const workbook::Problem& this_problem() {
  static const workbook::StatisticsProblem problem{&reduce};
  return problem;
}
