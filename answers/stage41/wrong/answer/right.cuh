// SPDX-License-Identifier: MIT
// The answer of stage 41, once for all of its wrong kernels.
#pragma once
#include <algorithm>
#include <cuda/atomic>
#include <type_traits>

#include "tiles.cuh"
#include "workbook/student/scan.h"

namespace right {
#include "../../solution.cu"
}  // namespace right
