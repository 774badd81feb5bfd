// SPDX-License-Identifier: MIT
// Matrices with vectors (BLAS level 2), of floats and doubles.
#include "libraries/blas/call.h"
#include "libraries/blas/cpu_blas.h"
#include "libraries/blas/values.h"

using namespace cudasim;

namespace {

template <typename T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,
                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(trans) || m < 0 || n < 0 || !fits(m, lda) || incx == 0 || incy == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{}, b{};
  const cublasStatus_t status = call.scalars(alpha, a, beta, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool is_plain = trans == CUBLAS_OP_N;
  const Use use = read_if(a != T{0});
  const std::size_t matrix = call.matrix("A", A, use, {m, n, lda, sizeof(T)});
  const std::size_t from = call.vector("x", x, use, is_plain ? n : m, incx, sizeof(T));
  const std::size_t to = call.vector("y", y, use_of_result(b), is_plain ? m : n, incy, sizeof(T));
  return call.run([=](const Operands& at) {
    cpu_blas<T>().gemv(kColumnMajor, cpu_value(trans), m, n, a, at.template at<T>(matrix), lda, at.template at<T>(from),
                       incx, b, at.template at<T>(to), incy);
  });
}

template <typename T>
cublasStatus_t ger(const char* name, cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,
                   const T* y, int incy, T* A, int lda) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || !fits(m, lda) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{};
  const cublasStatus_t status = call.scalar("alpha", alpha, a);
  if (status != CUBLAS_STATUS_SUCCESS || a == T{0}) return status;
  const std::size_t column = call.vector("x", x, Use::read, m, incx, sizeof(T));
  const std::size_t row = call.vector("y", y, Use::read, n, incy, sizeof(T));
  const std::size_t matrix = call.matrix("A", A, Use::update, {m, n, lda, sizeof(T)});
  return call.run([=](const Operands& at) {
    cpu_blas<T>().ger(kColumnMajor, m, n, a, at.template at<T>(column), incx, at.template at<T>(row), incy,
                      at.template at<T>(matrix), lda);
  });
}

template <typename T>
cublasStatus_t symv(const char* name, cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A,
                    int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_fill_mode(uplo) || n < 0 || !fits(n, lda) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{}, b{};
  const cublasStatus_t status = call.scalars(alpha, a, beta, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const Use use = read_if(a != T{0});
  const std::size_t matrix = call.triangle("A", A, use, uplo, false, n, lda, sizeof(T));
  const std::size_t from = call.vector("x", x, use, n, incx, sizeof(T));
  const std::size_t to = call.vector("y", y, use_of_result(b), n, incy, sizeof(T));
  return call.run([=](const Operands& at) {
    cpu_blas<T>().symv(kColumnMajor, cpu_value(uplo), n, a, at.template at<T>(matrix), lda, at.template at<T>(from),
                       incx, b, at.template at<T>(to), incy);
  });
}

template <typename T>
cublasStatus_t syr(const char* name, cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* x,
                   int incx, T* A, int lda) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_fill_mode(uplo) || n < 0 || !fits(n, lda) || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{};
  const cublasStatus_t status = call.scalar("alpha", alpha, a);
  if (status != CUBLAS_STATUS_SUCCESS || a == T{0}) return status;
  const std::size_t from = call.vector("x", x, Use::read, n, incx, sizeof(T));
  const std::size_t matrix = call.triangle("A", A, Use::update, uplo, false, n, lda, sizeof(T));
  return call.run([=](const Operands& at) {
    cpu_blas<T>().syr(kColumnMajor, cpu_value(uplo), n, a, at.template at<T>(from), incx, at.template at<T>(matrix),
                      lda);
  });
}

/// A triangle times a vector, or its inverse: one of two functions of the CPU's BLAS.
template <typename T, typename Function>
cublasStatus_t triangular(const char* name, cublasHandle_t handle, Function CpuBlas<T>::*function,
                          cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const T* A,
                          int lda, T* x, int incx) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_fill_mode(uplo) || !is_operation(trans) || !is_diagonal(diag) || n < 0 || !fits(n, lda) || incx == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  const bool is_unit = diag == CUBLAS_DIAG_UNIT;
  const std::size_t matrix = call.triangle("A", A, Use::read, uplo, is_unit, n, lda, sizeof(T));
  const std::size_t vector = call.vector("x", x, Use::update, n, incx, sizeof(T));
  const std::ptrdiff_t first = !is_unit ? 0 : uplo == CUBLAS_FILL_MODE_LOWER ? 1 : lda;
  return call.run([=](const Operands& at) {
    const T* triangle = at.template at<T>(matrix);
    (cpu_blas<T>().*function)(kColumnMajor, cpu_value(uplo), cpu_value(trans), cpu_value(diag), n,
                              triangle == nullptr ? nullptr : triangle - first, lda, at.template at<T>(vector), incx);
  });
}

}  // namespace

#define CUDASIM_LEVEL2(P, T)                                                                                          \
  extern "C" cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,          \
                                               const T* alpha, const T* A, int lda, const T* x, int incx,             \
                                               const T* beta, T* y, int incy) {                                       \
    return gemv("cublas" #P "gemv", handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                      \
  }                                                                                                                   \
  extern "C" cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,        \
                                              int incx, const T* y, int incy, T* A, int lda) {                        \
    return ger("cublas" #P "ger", handle, m, n, alpha, x, incx, y, incy, A, lda);                                     \
  }                                                                                                                   \
  extern "C" cublasStatus_t cublas##P##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,   \
                                               const T* A, int lda, const T* x, int incx, const T* beta, T* y,        \
                                               int incy) {                                                            \
    return symv("cublas" #P "symv", handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                          \
  }                                                                                                                   \
  extern "C" cublasStatus_t cublas##P##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,    \
                                              const T* x, int incx, T* A, int lda) {                                  \
    return syr("cublas" #P "syr", handle, uplo, n, alpha, x, incx, A, lda);                                           \
  }                                                                                                                   \
  extern "C" cublasStatus_t cublas##P##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                                               cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx) {   \
    return triangular("cublas" #P "trmv", handle, &CpuBlas<T>::trmv, uplo, trans, diag, n, A, lda, x, incx);          \
  }                                                                                                                   \
  extern "C" cublasStatus_t cublas##P##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
                                               cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx) {   \
    return triangular("cublas" #P "trsv", handle, &CpuBlas<T>::trsv, uplo, trans, diag, n, A, lda, x, incx);          \
  }

CUDASIM_LEVEL2(S, float)
CUDASIM_LEVEL2(D, double)
