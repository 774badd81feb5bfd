// SPDX-License-Identifier: MIT
// The object behind cublasHandle_t.
#pragma once

#include "libraries/blas/exported.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  int multiprocessors = 0;  ///< cublasSetSmCountTarget
};
