// SPDX-License-Identifier: MIT
#include "libraries/blas/call.h"
#include "libraries/blas/cpu_blas.h"
using namespace cudasim;
extern "C" cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                         int n, int k, const float* alpha, const float* A, int lda, const float* B,
                                         int ldb, const float* beta, float* C, int ldc) {
  BlasCall call(handle, "cublasSgemm");
  float a, b;
  call.scalar("alpha", alpha, a);
  call.scalar("beta", beta, b);
  call.matrix("A", A, Use::read, ta ? k : m, ta ? m : k, lda, 4);
  call.matrix("B", B, Use::read, tb ? n : k, tb ? k : n, ldb, 4);
  call.matrix("C", C, b == 0 ? Use::write : Use::update, m, n, ldc, 4);
  return call.run([=](void* const* mem) {
    cpu_blas<float>().gemm(kColumnMajor, ta ? kTranspose : kNoTranspose, tb ? kTranspose : kNoTranspose, m, n, k, a,
                           (const float*)mem[0], lda, (const float*)mem[1], ldb, b, (float*)mem[2], ldc);
  });
}
