// SPDX-License-Identifier: MIT
// The problem of stages that define transpose_on_device().
#include "workbook/problem/products/matrix/matrix_problem.h"
#include "workbook/student/matrix.h"

const workbook::Problem& this_problem() {
  static const workbook::MatrixProblem problem{workbook::Move::transpose, &transpose_on_device};
  return problem;
}
