// SPDX-License-Identifier: MIT
// The problem of stages that define map_on_device().
#include "workbook/student/picture.h"

#include "workbook/problem/maps/picture/picture_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::PictureProblem problem{&map_on_device};
  return problem;
}
