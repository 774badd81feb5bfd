// SPDX-License-Identifier: MIT
// The problem of stages that define make_negative_on_device() and draw_frame_on_device().
#include "workbook/problem/maps/picture/picture_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::PictureProblem problem{{&make_negative_on_device, &draw_frame_on_device}};
  return problem;
}
