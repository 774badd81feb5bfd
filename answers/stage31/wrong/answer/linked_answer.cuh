// SPDX-License-Identifier: MIT
// The answer of stage 31, compiled once for all of its wrong kernels.
#pragma once
#include "../../../stage30/wrong/answer/one_type_and_bound.cuh"

namespace right {
#include "../../solution.cu"
}  // namespace right
