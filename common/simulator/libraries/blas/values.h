// SPDX-License-Identifier: MIT
// The values of cuBLAS as those of the C interface of a BLAS.
#pragma once

#include "libraries/blas/cpu_blas.h"
#include "libraries/blas/exported.h"

namespace cudasim {

inline int cpu_value(cublasOperation_t op) { return op == CUBLAS_OP_N ? kNoTranspose : kTranspose; }
inline int cpu_value(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? kLower : kUpper; }
inline int cpu_value(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? kLeft : kRight; }
inline int cpu_value(cublasDiagType_t diag) { return diag == CUBLAS_DIAG_UNIT ? kUnit : kNonUnit; }

}  // namespace cudasim
