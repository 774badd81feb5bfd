// SPDX-License-Identifier: MIT
// family: products
// The problem of stages that define multiply_on_device() with a workspace.
#include "workbook/gemm.h"
#include "workbook/matmul_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::MatmulProblem problem{workbook::MultiplyInWorkspace{&multiply_on_device}};
  return problem;
}
