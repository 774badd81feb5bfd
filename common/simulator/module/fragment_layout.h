// SPDX-License-Identifier: MIT
// Where the elements of a matrix lie among the lanes of a warp and their registers.
#pragma once

#include "module/matrix_operation.h"

namespace cudasim {

enum class MatrixRole : std::uint8_t { a, b, accumulator };

/// As the PTX manual says it of mma (9.7.14.5), for all shapes: rows x columns of the matrix that `role` is.
MatrixFragment mma_fragment(MatrixRole role, MatrixElement element, unsigned rows, unsigned columns);

}  // namespace cudasim
