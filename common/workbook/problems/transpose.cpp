// SPDX-License-Identifier: MIT
// family: products
// The problem of stages that define transpose_on_device().
#include "workbook/matrix.h"
#include "workbook/matrix_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatrixProblem problem{workbook::Move::transpose, &transpose_on_device};
  return problem;
}
