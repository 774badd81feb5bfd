// SPDX-License-Identifier: MIT
// The answer of stage 44, once for all of its wrong kernels.
#pragma once
#include "workbook/student/grids/heat.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
