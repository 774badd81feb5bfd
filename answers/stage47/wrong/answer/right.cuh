// SPDX-License-Identifier: MIT
// The answer of stage 47, once for all of its wrong kernels.
#pragma once
#include "workbook/student/rows.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
