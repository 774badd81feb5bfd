// SPDX-License-Identifier: MIT
// The answer of stage 08, compiled once for all of its wrong kernels. They replace one operator, and take the others
// from here.
#pragma once
#include "workbook/student/statistics.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
using namespace right;
