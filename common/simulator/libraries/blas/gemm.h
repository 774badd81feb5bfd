// SPDX-License-Identifier: MIT
// C = alpha * op(A) * op(B) + beta * C: one product or a batch of them, in each combination of types.
#pragma once

#include <library_types.h>

#include <vector>

#include "libraries/blas/call.h"

namespace cudasim {

struct GemmSizes {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;
};

/// In what it is computed, and so the type of alpha and beta.
enum class Arithmetic : std::uint8_t { half, single, integer, twice };

struct GemmTypes {
  cudaDataType_t a, b, c;
  Arithmetic arithmetic;
};
constexpr GemmTypes kFloats{CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, Arithmetic::single};
constexpr GemmTypes kDoubles{CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, Arithmetic::twice};
constexpr GemmTypes kHalves{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, Arithmetic::half};

/// Strides count elements. With a stride of 0 all products of a batch read the same matrix.
struct GemmMatrices {
  const void *a, *b;
  void* c;
  long long stride_a = 0, stride_b = 0, stride_c = 0;
  int count = 1;
};

cublasStatus_t gemm(const char* name, cublasHandle_t handle, const GemmTypes& types, const GemmSizes& sizes,
                    const void* alpha, const void* beta, const GemmMatrices& matrices);

/// The same of matrices whose addresses are in arrays of the device.
struct GemmPointers {
  const void* const* a;
  const void* const* b;
  void* const* c;
  int count;
};
cublasStatus_t gemm(const char* name, cublasHandle_t handle, const GemmTypes& types, const GemmSizes& sizes,
                    const void* alpha, const void* beta, const GemmPointers& pointers);

/// One product on the host.
void multiply(const GemmTypes& types, const GemmSizes& sizes, double alpha, double beta, const void* a, const void* b,
              void* c);
std::size_t bytes_of(cudaDataType_t type);  ///< 0: it is not simulated

}  // namespace cudasim
