// SPDX-License-Identifier: MIT
// The answer of stage 40, once for all of its wrong kernels.
#pragma once
#include "workbook/student/scan.h"
#include "workbook/student/scan_rows.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
