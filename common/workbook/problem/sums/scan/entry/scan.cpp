// SPDX-License-Identifier: MIT
// The problem of stages that define scan_on_device().
#include "workbook/student/scan.h"

#include "workbook/problem/sums/scan/scan_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::ScanProblem problem(
      workbook::ScanFunctions{&scan_on_device<int>, &scan_on_device<float>, &scan_on_device<workbook::Affine>});
  return problem;
}
