// SPDX-License-Identifier: MIT
// The BLAS of the host, which computes what a program asks of cuBLAS. It is found when the first handle is made, so
// that nothing else needs it: OpenBLAS of the system, that of scripts/simulate, or any BLAS with the C interface.
#pragma once

#include <string>

namespace cudasim {

/// The values of the C interface.
constexpr int kColumnMajor = 102, kNoTranspose = 111, kTranspose = 112, kUpper = 121, kLower = 122, kNonUnit = 131,
              kUnit = 132, kLeft = 141, kRight = 142;

/// The functions for float or double. Each has the name that it has in the library, without "cblas_s".
template <typename T>
struct CpuBlas {
  void (*axpy)(int n, T alpha, const T* x, int incx, T* y, int incy);
  void (*scal)(int n, T alpha, T* x, int incx);
  void (*copy)(int n, const T* x, int incx, T* y, int incy);
  void (*swap)(int n, T* x, int incx, T* y, int incy);
  T (*dot)(int n, const T* x, int incx, const T* y, int incy);
  T (*nrm2)(int n, const T* x, int incx);
  T (*asum)(int n, const T* x, int incx);
  void (*rot)(int n, T* x, int incx, T* y, int incy, T c, T s);
  void (*gemv)(int order, int trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,
               int incy);
  void (*ger)(int order, int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda);
  void (*symv)(int order, int uplo, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, int incy);
  void (*syr)(int order, int uplo, int n, T alpha, const T* x, int incx, T* a, int lda);
  void (*trmv)(int order, int uplo, int trans, int diag, int n, const T* a, int lda, T* x, int incx);
  void (*trsv)(int order, int uplo, int trans, int diag, int n, const T* a, int lda, T* x, int incx);
  void (*gemm)(int order, int transa, int transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b,
               int ldb, T beta, T* c, int ldc);
  void (*symm)(int order, int side, int uplo, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
               T* c, int ldc);
  void (*syrk)(int order, int uplo, int trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c, int ldc);
  void (*syr2k)(int order, int uplo, int trans, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
                T* c, int ldc);
  void (*trmm)(int order, int side, int uplo, int trans, int diag, int m, int n, T alpha, const T* a, int lda, T* b,
               int ldb);
  void (*trsm)(int order, int side, int uplo, int trans, int diag, int m, int n, T alpha, const T* a, int lda, T* b,
               int ldb);
};

/// True where there is such a library. Its functions may then be used.
bool find_cpu_blas();
template <typename T>
const CpuBlas<T>& cpu_blas();

}  // namespace cudasim
