// SPDX-License-Identifier: MIT
// Products and systems of symmetric and triangular matrices (BLAS level 3), of floats and doubles. gemm_api.cpp has the
// general product.
#include "libraries/blas/call.h"
#include "libraries/blas/cpu_blas.h"
#include "libraries/blas/values.h"

using namespace cudasim;

namespace {

template <typename T>
cublasStatus_t symm(const char* name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,
                    const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!is_side(side) || !is_fill_mode(uplo) || m < 0 || n < 0 || !fits(order, lda) || !fits(m, ldb) || !fits(m, ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{}, b{};
  const cublasStatus_t status = call.scalars(alpha, a, beta, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const Use use = read_if(a != T{0});
  const std::size_t one = call.triangle("A", A, use, uplo, false, order, lda, sizeof(T));
  const std::size_t other = call.matrix("B", B, use, {m, n, ldb, sizeof(T)});
  const std::size_t to = call.matrix("C", C, use_of_result(b), {m, n, ldc, sizeof(T)});
  return call.run([=](const Operands& at) {
    cpu_blas<T>().symm(kColumnMajor, cpu_value(side), cpu_value(uplo), m, n, a, at.template at<T>(one), lda,
                       at.template at<T>(other), ldb, b, at.template at<T>(to), ldc);
  });
}

/// syrk, and syr2k where there is a B.
template <typename T>
cublasStatus_t rank_update(const char* name, cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           int n, int k, const T* alpha, const T* A, int lda, bool has_b, const T* B, int ldb,
                           const T* beta, T* C, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool is_plain = trans == CUBLAS_OP_N;
  const int rows = is_plain ? n : k, columns = is_plain ? k : n;
  if (!is_fill_mode(uplo) || !is_operation(trans) || n < 0 || k < 0 || !fits(rows, lda) ||
      (has_b && !fits(rows, ldb)) || !fits(n, ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{}, b{};
  const cublasStatus_t status = call.scalars(alpha, a, beta, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool is_read = a != T{0} && k > 0;
  const std::size_t one = call.matrix("A", A, read_if(is_read), {rows, columns, lda, sizeof(T)});
  const std::size_t other = call.matrix("B", B, read_if(is_read && has_b), {rows, columns, ldb, sizeof(T)});
  const std::size_t to = call.triangle("C", C, use_of_result(b), uplo, false, n, ldc, sizeof(T));
  return call.run([=](const Operands& at) {
    if (has_b) {
      cpu_blas<T>().syr2k(kColumnMajor, cpu_value(uplo), cpu_value(trans), n, k, a, at.template at<T>(one), lda,
                          at.template at<T>(other), ldb, b, at.template at<T>(to), ldc);
    } else {
      cpu_blas<T>().syrk(kColumnMajor, cpu_value(uplo), cpu_value(trans), n, k, a, at.template at<T>(one), lda, b,
                         at.template at<T>(to), ldc);
    }
  });
}

/// The triangle A from a side: C = alpha * op(A) * B by trmm, or in place by trsm, where B is C.
template <typename T, typename Function>
cublasStatus_t triangular(const char* name, cublasHandle_t handle, Function CpuBlas<T>::*function,
                          cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                          int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb, T* C, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!is_side(side) || !is_fill_mode(uplo) || !is_operation(trans) || !is_diagonal(diag) || m < 0 || n < 0 ||
      !fits(order, lda) || !fits(m, ldb) || !fits(m, ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{};
  const cublasStatus_t status = call.scalar("alpha", alpha, a);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool is_unit = diag == CUBLAS_DIAG_UNIT, is_read = a != T{0};
  const std::ptrdiff_t first = !is_unit ? 0 : uplo == CUBLAS_FILL_MODE_LOWER ? 1 : lda;
  const std::size_t one = call.triangle("A", A, read_if(is_read), uplo, is_unit, order, lda, sizeof(T));
  const std::size_t other = call.matrix("B", B, read_if(is_read), {m, n, ldb, sizeof(T)});
  const std::size_t to = call.matrix(B == C ? "B" : "C", C, Use::write, {m, n, ldc, sizeof(T)});
  return call.run([=](const Operands& at) {
    T* const result = at.template at<T>(to);
    const T* const from = at.template at<T>(other);
    for (int column = 0; column < n; ++column) {
      T* const out = result + static_cast<std::ptrdiff_t>(column) * ldc;
      if (from == nullptr) {
        std::fill_n(out, m, T{0});
      } else if (from != result) {
        std::copy_n(from + static_cast<std::ptrdiff_t>(column) * ldb, m, out);
      }
    }
    if (from == nullptr) return;
    const T* triangle = at.template at<T>(one);
    (cpu_blas<T>().*function)(kColumnMajor, cpu_value(side), cpu_value(uplo), cpu_value(trans), cpu_value(diag), m, n,
                              a, triangle == nullptr ? nullptr : triangle - first, lda, result, ldc);
  });
}

}  // namespace

#define CUDASIM_LEVEL3(P, T)                                                                                           \
  extern "C" cublasStatus_t cublas##P##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,    \
                                               int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb, \
                                               const T* beta, T* C, int ldc) {                                         \
    return symm("cublas" #P "symm", handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);                    \
  }                                                                                                                    \
  extern "C" cublasStatus_t cublas##P##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,  \
                                               int n, int k, const T* alpha, const T* A, int lda, const T* beta, T* C, \
                                               int ldc) {                                                              \
    const T* const none = nullptr;                                                                                     \
    return rank_update("cublas" #P "syrk", handle, uplo, trans, n, k, alpha, A, lda, false, none, 1, beta, C, ldc);    \
  }                                                                                                                    \
  extern "C" cublasStatus_t cublas##P##syr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                                                int n, int k, const T* alpha, const T* A, int lda, const T* B,         \
                                                int ldb, const T* beta, T* C, int ldc) {                               \
    return rank_update("cublas" #P "syr2k", handle, uplo, trans, n, k, alpha, A, lda, true, B, ldb, beta, C, ldc);     \
  }                                                                                                                    \
  extern "C" cublasStatus_t cublas##P##trmm_v2(                                                                        \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                    \
      cublasDiagType_t diag, int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb, T* C, int ldc) {  \
    return triangular("cublas" #P "trmm", handle, &CpuBlas<T>::trmm, side, uplo, trans, diag, m, n, alpha, A, lda, B,  \
                      ldb, C, ldc);                                                                                    \
  }                                                                                                                    \
  extern "C" cublasStatus_t cublas##P##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,    \
                                               cublasOperation_t trans, cublasDiagType_t diag, int m, int n,           \
                                               const T* alpha, const T* A, int lda, T* B, int ldb) {                   \
    const T* const from = B;                                                                                           \
    return triangular("cublas" #P "trsm", handle, &CpuBlas<T>::trsm, side, uplo, trans, diag, m, n, alpha, A, lda,     \
                      from, ldb, B, ldb);                                                                              \
  }

CUDASIM_LEVEL3(S, float)
CUDASIM_LEVEL3(D, double)
