// SPDX-License-Identifier: MIT
// benchmark: matmul
// The problem of stages that define multiply_on_device() with a workspace.
#include "workbook/problem/products/matmul/matmul_problem.h"
#include "workbook/student/gemm.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplyInWorkspace{&multiply_on_device}};
  return problem;
}
