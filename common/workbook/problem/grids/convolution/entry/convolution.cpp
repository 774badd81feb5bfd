// SPDX-License-Identifier: MIT
// The problem of stages that define convolve_on_device().
#include "workbook/student/grids/convolution.h"

#include "workbook/problem/grids/convolution/convolution_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::ConvolutionProblem problem{&convolve_on_device};
  return problem;
}
