// SPDX-License-Identifier: MIT
// The problem of stages that define reduce_on_device().
#include "workbook/student/reduction.h"

#include "workbook/problem/sums/statistics/statistics_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::StatisticsProblem problem{&reduce_on_device};
  return problem;
}
