// SPDX-License-Identifier: MIT
// The problem of stages that define multiply_vector_on_device().
#include "workbook/student/gemv.h"

#include "workbook/problem/products/gemv/gemv_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::GemvProblem problem{workbook::Side::rows, &multiply_vector_on_device};
  return problem;
}
