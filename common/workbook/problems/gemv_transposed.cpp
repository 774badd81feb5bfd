// SPDX-License-Identifier: MIT
// family: products
// The problem of stages that define multiply_vector_transposed_on_device().
#include "workbook/gemv.h"
#include "workbook/gemv_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::GemvProblem problem{workbook::Side::columns, &multiply_vector_transposed_on_device};
  return problem;
}
