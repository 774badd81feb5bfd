// SPDX-License-Identifier: MIT
// The answer of stage 45, once for all of its wrong kernels.
#pragma once
#include <algorithm>

#include "march.cuh"
#include "workbook/student/grids/heat.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
