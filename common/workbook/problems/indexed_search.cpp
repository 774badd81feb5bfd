// SPDX-License-Identifier: MIT
// family: searches
// The problem of stages that define search_in_workspace_on_device().
#include "workbook/binary_search.h"
#include "workbook/binary_search_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SearchProblem problem{{nullptr, &search_in_workspace_on_device}};
  return problem;
}
