// SPDX-License-Identifier: MIT
// The problem of stages that define statistic_on_device().
#include "workbook/student/statistics.h"

#include "workbook/problem/sums/statistics/statistics_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::StatisticsProblem problem{workbook::StatisticFunctions{
      &statistic_on_device<float>, &statistic_on_device<double>, &statistic_on_device<int>}};
  return problem;
}
