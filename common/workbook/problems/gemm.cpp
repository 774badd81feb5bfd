// SPDX-License-Identifier: MIT
// family: products
// The problem of stages that define gemm_on_device().
#include "workbook/gemm.h"

#include "workbook/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{&gemm_on_device};
  return problem;
}
