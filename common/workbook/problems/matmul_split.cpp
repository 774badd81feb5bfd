// SPDX-License-Identifier: MIT
// family: products
// The problem of stages that define multiply_on_device() in single precision by tensor cores.
#include "workbook/matmul_split.h"

#include "workbook/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplySplit{&multiply_on_device},
                                               workbook::Arithmetic::split};
  return problem;
}
