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

enum class Use : std::uint8_t { read, write, update };

/// The status for an error of the runtime.
cublasStatus_t status_of(cudaError_t error);

class BlasCall {
 public:
  BlasCall(cublasHandle_t handle, const char* name) : handle_(handle), call_{name, handle->stream} {}

  /// Each adds an operand that is not empty. `compute` gets their addresses in this order.
  void matrix(const char* name, const void* pointer, Use use, std::int64_t rows, std::int64_t columns, std::int64_t ld,
              std::size_t element_bytes);
  void matrices(const char* name, const void* pointer, Use use, std::int64_t rows, std::int64_t columns,
                std::int64_t ld, std::size_t element_bytes, std::int64_t stride, std::int64_t count);
  void vector(const char* name, const void* pointer, Use use, std::int64_t n, std::int64_t inc,
              std::size_t element_bytes);
  void triangle(const char* name, const void* pointer, Use use, cublasFillMode_t uplo, std::int64_t n, std::int64_t ld,
                std::size_t element_bytes);

  /// A factor such as alpha: memory of the host, or of the device in the pointer mode of that name.
  template <typename T>
  cublasStatus_t scalar(const char* name, const T* pointer, T& value) {
    return bytes_of_scalar(name, pointer, &value, sizeof value);
  }
  /// Where a result goes, likewise: `store(memory, value)` at the end of the function.
  template <typename T>
  std::function<void(void* const*, T)> result(const char* name, T* pointer) {
    if (handle_->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
      call_.waits = true;
      return [pointer](void* const*, T value) { *pointer = value; };
    }
    vector(name, pointer, Use::write, 1, 1, sizeof(T));
    const std::size_t index = call_.operands.size() - 1;
    return [index](void* const* memory, T value) { std::memcpy(memory[index], &value, sizeof value); };
  }
  /// Copies an array of the device to the host, when all that comes before in the stream is done.
  cublasStatus_t fetch(const char* name, const void* pointer, void* host, std::size_t bytes);

  cublasStatus_t run(std::function<void(void* const*)> compute);

 private:
  cublasStatus_t bytes_of_scalar(const char* name, const void* pointer, void* value, std::size_t bytes);

  cublasHandle_t handle_;
  LibraryCall call_;
};

}  // namespace cudasim
