// SPDX-License-Identifier: MIT
// The answer of stage 35, compiled once for all of its wrong kernels.
#pragma once
#include "workbook/student/shared_memory.h"
#include "workbook/student/sort.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
