// SPDX-License-Identifier: MIT
// The answer of stage 39, once for all of its wrong kernels.
#pragma once
#include "workbook/student/scan.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
