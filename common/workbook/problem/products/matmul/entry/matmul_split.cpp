// SPDX-License-Identifier: MIT
// benchmark: matmul
// The problem of stages that define multiply_on_device() in single precision by tensor cores.
#include "workbook/student/matmul_split.h"

#include "workbook/problem/products/matmul/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplySplit{&multiply_on_device},
                                               workbook::Arithmetic::split};
  return problem;
}
