// SPDX-License-Identifier: MIT
// Copies of vectors and matrices between host and device: those of the runtime, with cuBLAS' parameters.
#include <cuda_runtime_api.h>

#include "libraries/blas/exported.h"

namespace {

/// `columns` of `rows` elements; the distances of columns are in elements, too.
cublasStatus_t copy(int rows, int columns, int bytes, const void* from, int from_ld, void* to, int to_ld,
                    cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_ld <= 0 || to_ld <= 0 || from_ld < rows || to_ld < rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto size = [bytes](int count) { return static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes); };
  const auto height = static_cast<std::size_t>(columns);
  const cudaError_t error =
      waits ? cudaMemcpy2D(to, size(to_ld), from, size(from_ld), size(rows), height, kind)
            : cudaMemcpy2DAsync(to, size(to_ld), from, size(from_ld), size(rows), height, kind, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

extern "C" cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* device, int incy) {
  return copy(1, n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice, true, nullptr);
}
extern "C" cublasStatus_t cublasGetVector(int n, int bytes, const void* device, int incx, void* y, int incy) {
  return copy(1, n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost, true, nullptr);
}
extern "C" cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb) {
  return copy(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyHostToDevice, true, nullptr);
}
extern "C" cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb) {
  return copy(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyDeviceToHost, true, nullptr);
}

extern "C" cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* device, int incy,
                                               cudaStream_t stream) {
  return copy(1, n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice, false, stream);
}
extern "C" cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* device, int incx, void* y, int incy,
                                               cudaStream_t stream) {
  return copy(1, n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost, false, stream);
}
extern "C" cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                               int ldb, cudaStream_t stream) {
  return copy(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyHostToDevice, false, stream);
}
extern "C" cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                               int ldb, cudaStream_t stream) {
  return copy(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyDeviceToHost, false, stream);
}
