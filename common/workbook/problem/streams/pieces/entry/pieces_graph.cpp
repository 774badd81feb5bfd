// SPDX-License-Identifier: MIT
// benchmark: pieces
// The problem of stages that define make_graph() and launch_graph().
#include "workbook/problem/streams/pieces/pieces_problem.h"
#include "workbook/student/pieces.h"

const workbook::Problem& this_problem() {
  static const workbook::PiecesProblem problem{{&allocate_on_host, &free_on_host, nullptr, &make_graph, &launch_graph}};
  return problem;
}
