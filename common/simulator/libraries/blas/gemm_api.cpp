// SPDX-License-Identifier: MIT
// The general product of one type: of floats, doubles and halves, alone and in batches.
#include <cuda_fp16.h>

#include "libraries/blas/gemm.h"

using namespace cudasim;

#define CUDASIM_GEMM(NAME, SYMBOL, BATCHED, STRIDED, T, TYPES)                                                         \
  extern "C" cublasStatus_t SYMBOL(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,   \
                                   int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb,             \
                                   const T* beta, T* C, int ldc) {                                                     \
    return gemm(#NAME, handle, TYPES, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, GemmMatrices{A, B, C});   \
  }                                                                                                                    \
  extern "C" cublasStatus_t BATCHED(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,  \
                                    int n, int k, const T* alpha, const T* const A[], int lda, const T* const B[],     \
                                    int ldb, const T* beta, T* const C[], int ldc, int count) {                        \
    const GemmPointers pointers{reinterpret_cast<const void* const*>(A), reinterpret_cast<const void* const*>(B),      \
                                reinterpret_cast<void* const*>(C), count};                                             \
    return gemm(#BATCHED, handle, TYPES, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, pointers);             \
  }                                                                                                                    \
  extern "C" cublasStatus_t STRIDED(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,  \
                                    int n, int k, const T* alpha, const T* A, int lda, long long stride_a, const T* B, \
                                    int ldb, long long stride_b, const T* beta, T* C, int ldc, long long stride_c,     \
                                    int count) {                                                                       \
    return gemm(#STRIDED, handle, TYPES, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,                        \
                GemmMatrices{A, B, C, stride_a, stride_b, stride_c, count});                                           \
  }

CUDASIM_GEMM(cublasSgemm, cublasSgemm_v2, cublasSgemmBatched, cublasSgemmStridedBatched, float, kFloats)
CUDASIM_GEMM(cublasDgemm, cublasDgemm_v2, cublasDgemmBatched, cublasDgemmStridedBatched, double, kDoubles)
CUDASIM_GEMM(cublasHgemm, cublasHgemm, cublasHgemmBatched, cublasHgemmStridedBatched, __half, kHalves)
