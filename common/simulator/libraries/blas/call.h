// SPDX-License-Identifier: MIT
// A call of cuBLAS that is being made: its operands in turn, then its function. Matrices are column-major.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "libraries/blas/handle.h"
#include "libraries/library_call.h"

namespace cudasim {

/// `none`: the operand takes no part, as the matrices of a product whose factor is 0.
enum class Use : std::uint8_t { none, read, write, update };
inline Use read_if(bool is_read) { return is_read ? Use::read : Use::none; }
/// Of a result that `beta` multiplies first.
template <typename T>
Use use_of_result(T beta) {
  return beta == T{0} ? Use::write : Use::update;
}

/// The host's addresses of the operands of a call that runs.
class Operands {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};
  explicit Operands(void* const* memory) : memory_(memory) {}
  template <typename T>
  T* at(std::size_t index) const {
    return index == kNone ? nullptr : static_cast<T*>(memory_[index]);
  }

 private:
  void* const* memory_;
};

/// Matrices of one shape, `stride` elements apart.
struct MatrixShape {
  std::int64_t rows, columns, ld;
  std::size_t element_bytes;
  std::int64_t stride = 0, count = 1;
};

/// The status for an error of the runtime.
cublasStatus_t status_of(cudaError_t error);

class BlasCall {
 public:
  BlasCall(cublasHandle_t handle, const char* name) : handle_(handle), call_{name, handle->stream} {}

  /// Each adds an operand that is not empty, and returns its number for Operands::at().
  std::size_t matrix(const char* name, const void* pointer, Use use, const MatrixShape& shape);
  std::size_t vector(const char* name, const void* pointer, Use use, std::int64_t n, std::int64_t inc,
                     std::size_t element_bytes);
  /// `is_unit`: without the diagonal.
  std::size_t triangle(const char* name, const void* pointer, Use use, cublasFillMode_t uplo, bool is_unit,
                       std::int64_t n, std::int64_t ld, std::size_t element_bytes);

  /// A factor such as alpha: memory of the host, or of the device in the pointer mode of that name.
  template <typename T>
  cublasStatus_t scalar(const char* name, const T* pointer, T& value) {
    return bytes_of_scalar(name, pointer, &value, sizeof value);
  }
  template <typename T>
  cublasStatus_t scalars(const T* alpha, T& alpha_value, const T* beta, T& beta_value) {
    const cublasStatus_t status = scalar("alpha", alpha, alpha_value);
    return status != CUBLAS_STATUS_SUCCESS ? status : scalar("beta", beta, beta_value);
  }
  /// Where a result goes, likewise. The function of the call ends with it: store(operands, value).
  template <typename T>
  std::function<void(const Operands&, T)> result(T* pointer) {
    if (handle_->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
      call_.waits = true;
      return [pointer](const Operands&, T value) { *pointer = value; };
    }
    const std::size_t index = vector("its result", pointer, Use::write, 1, 1, sizeof(T));
    return [index](const Operands& operands, T value) { *operands.at<T>(index) = value; };
  }
  /// Copies an array of the device to the host, when all that comes before in the stream is done.
  cublasStatus_t fetch(const char* name, const void* pointer, void* host, std::size_t bytes);

  template <typename Compute>
  cublasStatus_t run(Compute compute) {
    call_.compute = [compute](void* const* memory) { compute(Operands(memory)); };
    return status_of(cudasim_call_library(call_));
  }

 private:
  cublasStatus_t bytes_of_scalar(const char* name, const void* pointer, void* value, std::size_t bytes);
  std::size_t add(LibraryOperand operand, Use use);

  cublasHandle_t handle_;
  LibraryCall call_;
};

inline bool is_operation(cublasOperation_t op) { return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C; }
inline bool is_fill_mode(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }
inline bool is_diagonal(cublasDiagType_t diag) { return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT; }
/// Whether columns of so many rows, the first number, fit.
inline bool fits(int rows, int ld) { return ld >= std::max(1, rows); }

}  // namespace cudasim
