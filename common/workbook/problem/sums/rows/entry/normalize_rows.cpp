// SPDX-License-Identifier: MIT
// The problem of stages that define normalize_rows_on_device().
#include "workbook/problem/sums/rows/rows_problem.h"
#include "workbook/student/rows.h"

const workbook::Problem& this_problem() {
  static const workbook::RowsProblem problem(&normalize_rows_on_device);
  return problem;
}
