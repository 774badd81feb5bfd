// SPDX-License-Identifier: MIT
// Where the elements of a matrix lie among the lanes of a warp and their registers.
#pragma once

#include "program/matrix_operation.h"

namespace cudasim {

enum class MatrixRole : std::uint8_t { a, b, accumulator };
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};

/// The layout of the PTX manual for mma (9.7.14.5), which is also that of hardware for wmma.
/// `is_open`: it is wmma, whose layout CUDA leaves open. The adversarial order then uses another one, its lanes and
/// elements in reverse.
MatrixFragment make_fragment(MatrixRole role, MatrixElement element, const MatrixShape& shape, bool is_open = false);

}  // namespace cudasim
