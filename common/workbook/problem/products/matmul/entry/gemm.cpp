// SPDX-License-Identifier: MIT
// benchmark: matmul
// The problem of stages that define gemm_on_device().
#include "workbook/student/gemm.h"

#include "workbook/problem/products/matmul/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{&gemm_on_device};
  return problem;
}
