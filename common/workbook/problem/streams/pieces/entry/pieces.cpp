// SPDX-License-Identifier: MIT
// The problem of stages that define process_on_device().
#include "workbook/student/pieces.h"

#include "workbook/problem/streams/pieces/pieces_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::PiecesProblem problem{{&allocate_on_host, &free_on_host, &process_on_device}};
  return problem;
}
