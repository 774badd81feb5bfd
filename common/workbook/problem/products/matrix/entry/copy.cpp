// SPDX-License-Identifier: MIT
// The problem of stages that define copy_on_device().
#include "workbook/problem/products/matrix/matrix_problem.h"
#include "workbook/student/matrix.h"

const workbook::Problem& this_problem() {
  static const workbook::MatrixProblem problem{workbook::Move::copy, &copy_on_device};
  return problem;
}
