// SPDX-License-Identifier: MIT
// What cuBLAS has beside BLAS: sums of matrices, and products with a diagonal.
#include "libraries/blas/call.h"

using namespace cudasim;

namespace {

template <typename T>
cublasStatus_t geam(const char* name, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                    int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
  if (!is_operation(transa) || !is_operation(transb) || m < 0 || n < 0 || !fits(plain_a ? m : n, lda) ||
      !fits(plain_b ? m : n, ldb) || !fits(m, ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  // In place only as it lies there.
  if ((A == C && (!plain_a || lda != ldc)) || (B == C && (!plain_b || ldb != ldc))) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{}, b{};
  const cublasStatus_t status = call.scalars(alpha, a, beta, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const std::size_t one = call.matrix("A", A, read_if(a != T{0}), {plain_a ? m : n, plain_a ? n : m, lda, sizeof(T)});
  const std::size_t other = call.matrix("B", B, read_if(b != T{0}), {plain_b ? m : n, plain_b ? n : m, ldb, sizeof(T)});
  const std::size_t to = call.matrix("C", C, Use::write, {m, n, ldc, sizeof(T)});
  return call.run([=](const Operands& at) {
    const auto element = [](const T* matrix, bool is_plain, std::ptrdiff_t row, std::ptrdiff_t column, int ld) {
      return matrix == nullptr ? T{0} : matrix[is_plain ? row + column * ld : column + row * ld];
    };
    const T *left = at.template at<T>(one), *right = at.template at<T>(other);
    T* const out = at.template at<T>(to);
    for (std::ptrdiff_t column = 0; column < n; ++column) {
      for (std::ptrdiff_t row = 0; row < m; ++row)
        out[row + column * ldc] =
            a * element(left, plain_a, row, column, lda) + b * element(right, plain_b, row, column, ldb);
    }
  });
}

template <typename T>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A, int lda,
                    const T* x, int incx, T* C, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_side(side) || m < 0 || n < 0 || !fits(m, lda) || !fits(m, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  const int length = is_left ? m : n;
  const std::size_t from = call.matrix("A", A, Use::read, {m, n, lda, sizeof(T)});
  const std::size_t factors = call.vector("x", x, Use::read, length, incx, sizeof(T));
  const std::size_t to = call.matrix("C", C, Use::write, {m, n, ldc, sizeof(T)});
  return call.run([=](const Operands& at) {
    const T* const first = at.template at<T>(factors) + (incx < 0 ? std::ptrdiff_t{1 - length} * incx : 0);
    for (std::ptrdiff_t column = 0; column < n; ++column) {
      for (std::ptrdiff_t row = 0; row < m; ++row)
        at.template at<T>(to)[row + column * ldc] =
            at.template at<T>(from)[row + column * lda] * first[(is_left ? row : column) * incx];
    }
  });
}

}  // namespace

#define CUDASIM_EXTENSIONS(P, T)                                                                                       \
  extern "C" cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                            int m, int n, const T* alpha, const T* A, int lda, const T* beta,          \
                                            const T* B, int ldb, T* C, int ldc) {                                      \
    return geam("cublas" #P "geam", handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                \
  }                                                                                                                    \
  extern "C" cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A,    \
                                            int lda, const T* x, int incx, T* C, int ldc) {                            \
    return dgmm("cublas" #P "dgmm", handle, side, m, n, A, lda, x, incx, C, ldc);                                      \
  }

CUDASIM_EXTENSIONS(S, float)
CUDASIM_EXTENSIONS(D, double)
