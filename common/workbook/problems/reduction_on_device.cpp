// SPDX-License-Identifier: MIT
// The problem of stages that define reduce_on_device() alone.
#include "workbook/reduction.h"
#include "workbook/reduction_problem.h"

namespace workbook {

const Problem& this_problem() {
  static const ReductionProblem problem{ReduceOnDevice(&reduce_on_device)};
  return problem;
}

}  // namespace workbook
