// SPDX-License-Identifier: MIT
// The problem of stages that define scan_blocks_on_device().
#include "workbook/problem/sums/scan/scan_problem.h"
#include "workbook/student/scan.h"

const workbook::Problem& this_problem() {
  static const workbook::ScanProblem problem(workbook::BlockScanFunctions{
      &scan_blocks_on_device<int>, &scan_blocks_on_device<float>, &scan_blocks_on_device<workbook::Affine>});
  return problem;
}
