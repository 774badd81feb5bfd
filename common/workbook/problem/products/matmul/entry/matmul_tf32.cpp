// SPDX-License-Identifier: MIT
// benchmark: matmul
// The problem of stages that define multiply_on_device() with factors rounded to tf32.
#include "workbook/problem/products/matmul/matmul_problem.h"
#include "workbook/student/matmul.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplyOnDevice{&multiply_on_device},
                                               workbook::Arithmetic::tf32};
  return problem;
}
