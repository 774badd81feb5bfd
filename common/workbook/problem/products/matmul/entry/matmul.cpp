// SPDX-License-Identifier: MIT
// The problem of stages that define multiply_on_device().
#include "workbook/student/matmul.h"

#include "workbook/problem/products/matmul/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplyOnDevice{&multiply_on_device}};
  return problem;
}
