// SPDX-License-Identifier: MIT
// The problem of stages that define reduce().
#include "workbook/reduction.h"

#include "workbook/reduction_problem.h"

namespace workbook {

const Problem& this_problem() {
  static const ReductionProblem problem{ReduceFunction(&reduce)};
  return problem;
}

}  // namespace workbook
