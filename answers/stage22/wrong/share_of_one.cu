// refused: not-the-step: shares may be as small as one k-tile, so that most blocks have little to do but to begin
// SPDX-License-Identifier: MIT
// hint: step-least-share
#include "workbook/student/products/plan.h"

#define kLeastShare \
  std::size_t { 1 }
#include "../solution.cu"
#undef kLeastShare
