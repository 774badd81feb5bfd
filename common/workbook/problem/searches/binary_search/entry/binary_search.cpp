// SPDX-License-Identifier: MIT
// The problem of stages that define search_on_device().
#include "workbook/student/binary_search.h"

#include "workbook/problem/searches/binary_search/binary_search_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SearchProblem problem{{&search_on_device}};
  return problem;
}
