// SPDX-License-Identifier: MIT
// The problem of stages that define multiply_vector_transposed_on_device().
#include "workbook/problem/products/gemv/gemv_problem.h"
#include "workbook/student/gemv.h"

const workbook::Problem& this_problem() {
  static const workbook::GemvProblem problem{workbook::Side::columns, &multiply_vector_transposed_on_device};
  return problem;
}
