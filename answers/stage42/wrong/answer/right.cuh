// SPDX-License-Identifier: MIT
// The answer of stage 42, once for all of its wrong kernels.
#pragma once
#include "workbook/student/histogram.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
