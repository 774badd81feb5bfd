// SPDX-License-Identifier: MIT
// The problem of stages that define histogram_on_device().
#include "workbook/student/histogram.h"

#include "workbook/problem/sums/histogram/histogram_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::HistogramProblem problem(workbook::HistogramFunctions{
      &histogram_on_device<std::uint32_t>, &histogram_on_device<std::uint8_t>, &histogram_on_device<float>});
  return problem;
}
