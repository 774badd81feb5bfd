// SPDX-License-Identifier: MIT
// The problem of stages that define statistic_on_device().
#include "workbook/statistics.h"

#include "workbook/statistics_problem.h"

namespace workbook {

const Problem& this_problem() {
  static const StatisticsProblem problem{
      {&statistic_on_device<float>, &statistic_on_device<double>, &statistic_on_device<int>}};
  return problem;
}

}  // namespace workbook
