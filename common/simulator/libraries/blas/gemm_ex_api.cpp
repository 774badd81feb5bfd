// SPDX-License-Identifier: MIT
// The general product of types that the program names. The combinations are those of the tables of cuBLAS; complex
// numbers, and those of 8-bit floating point, are not simulated.
#include "libraries/blas/gemm.h"

using namespace cudasim;

namespace {

struct Combination {
  cudaDataType_t ab, c;
};
constexpr Combination kSingle[] = {{CUDA_R_16BF, CUDA_R_16BF}, {CUDA_R_16F, CUDA_R_16F}, {CUDA_R_8I, CUDA_R_32F},
                                   {CUDA_R_16BF, CUDA_R_32F},  {CUDA_R_16F, CUDA_R_32F}, {CUDA_R_32F, CUDA_R_32F}};

bool is_among_single(cudaDataType_t ab, cudaDataType_t c) {
  return std::any_of(std::begin(kSingle), std::end(kSingle),
                     [=](const Combination& one) { return one.ab == ab && one.c == c; });
}

/// Whether cuBLAS has the combination. `arithmetic` receives in what it is computed.
bool find_arithmetic(cublasComputeType_t compute, cudaDataType_t ab, cudaDataType_t c, Arithmetic& arithmetic) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      arithmetic = Arithmetic::half;
      return ab == CUDA_R_16F && c == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      arithmetic = Arithmetic::integer;
      return ab == CUDA_R_8I && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      arithmetic = Arithmetic::single;
      return is_among_single(ab, c);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      arithmetic = Arithmetic::single;
      return ab == CUDA_R_32F && c == CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      arithmetic = Arithmetic::twice;
      return ab == CUDA_R_64F && c == CUDA_R_64F;
    default:
      return false;
  }
}

/// The types of a call, or the status that refuses them.
cublasStatus_t types_of(const char* name, cublasComputeType_t compute, cudaDataType_t a, cudaDataType_t b,
                        cudaDataType_t c, GemmTypes& types) {
  if (bytes_of(a) == 0 || bytes_of(b) == 0 || bytes_of(c) == 0) {
    cudasim_explain(name, "of the types of cuBLAS the simulator has f64, f32, f16, bf16, and s8 with s32");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  types = {a, b, c, Arithmetic::single};
  return a == b && find_arithmetic(compute, a, c, types.arithmetic) ? CUBLAS_STATUS_SUCCESS
                                                                    : CUBLAS_STATUS_NOT_SUPPORTED;
}

template <typename Matrices>
cublasStatus_t gemm_ex(const char* name, cublasHandle_t handle, cublasComputeType_t compute, cudaDataType_t a,
                       cudaDataType_t b, cudaDataType_t c, const GemmSizes& sizes, const void* alpha, const void* beta,
                       const Matrices& matrices) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  GemmTypes types{};
  const cublasStatus_t status = types_of(name, compute, a, b, c, types);
  return status != CUBLAS_STATUS_SUCCESS ? status : gemm(name, handle, types, sizes, alpha, beta, matrices);
}

}  // namespace

extern "C" cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                       int n, int k, const void* alpha, const void* A, cudaDataType a_type, int lda,
                                       const void* B, cudaDataType b_type, int ldb, const void* beta, void* C,
                                       cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return gemm_ex("cublasGemmEx", handle, compute, a_type, b_type, c_type, {transa, transb, m, n, k, lda, ldb, ldc},
                 alpha, beta, GemmMatrices{A, B, C});
}

extern "C" cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                     cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                                     const void* A, cudaDataType a_type, int lda, long long stride_a,
                                                     const void* B, cudaDataType b_type, int ldb, long long stride_b,
                                                     const void* beta, void* C, cudaDataType c_type, int ldc,
                                                     long long stride_c, int count, cublasComputeType_t compute,
                                                     cublasGemmAlgo_t) {
  return gemm_ex("cublasGemmStridedBatchedEx", handle, compute, a_type, b_type, c_type,
                 {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,
                 GemmMatrices{A, B, C, stride_a, stride_b, stride_c, count});
}

extern "C" cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                              int m, int n, int k, const void* alpha, const void* const A[],
                                              cudaDataType a_type, int lda, const void* const B[], cudaDataType b_type,
                                              int ldb, const void* beta, void* const C[], cudaDataType c_type, int ldc,
                                              int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return gemm_ex("cublasGemmBatchedEx", handle, compute, a_type, b_type, c_type,
                 {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, GemmPointers{A, B, C, count});
}

extern "C" cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                        int m, int n, int k, const float* alpha, const void* A, cudaDataType a_type,
                                        int lda, const void* B, cudaDataType b_type, int ldb, const float* beta,
                                        void* C, cudaDataType c_type, int ldc) {
  return gemm_ex("cublasSgemmEx", handle, CUBLAS_COMPUTE_32F, a_type, b_type, c_type,
                 {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta, GemmMatrices{A, B, C});
}
