// refused: not-the-step: an edge of exactly kThin rows or columns gets whole tiles
// SPDX-License-Identifier: MIT
// hint: step-thin-edge
#include "workbook/student/products/edges.h"
#include "workbook/student/products/plan.h"

#define kThin (kThin - 1)  // of the answer alone
#include "../solution.cu"
#undef kThin
