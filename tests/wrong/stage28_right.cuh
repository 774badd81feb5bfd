// SPDX-License-Identifier: MIT
// The answer of stage 28, once for all of its wrong kernels.
#pragma once
#include "workbook/find.h"

namespace right {
#include "../../answers/stage28/solution.cu"
}  // namespace right
