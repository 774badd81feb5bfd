// SPDX-License-Identifier: MIT
// The answer of stage 48, once for all of its wrong kernels.
#pragma once
#include <cuda/atomic>
#include <type_traits>

#include "cut.cuh"
#include "launch.cuh"
#include "row_state.cuh"

namespace right {
#include "../../solution.cu"
}  // namespace right
