// SPDX-License-Identifier: MIT
#include "libraries/blas/call.h"

namespace cudasim {

cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorNotSupported:
    case cudaErrorStreamCaptureUnsupported:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

void BlasCall::matrices(const char* name, const void* pointer, Use use, std::int64_t rows, std::int64_t columns,
                        std::int64_t ld, std::size_t element_bytes, std::int64_t stride, std::int64_t count) {
  LibraryOperand operand{name, pointer, static_cast<std::uint64_t>(rows) * element_bytes};
  operand.height = static_cast<std::uint64_t>(columns);
  operand.row_stride = static_cast<std::uint64_t>(ld) * element_bytes;
  if (ld == rows) {
    operand.width *= operand.height;
    operand.height = 1;
  }
  if (stride != 0) {
    operand.depth = static_cast<std::uint64_t>(count);
    operand.slice_stride = static_cast<std::uint64_t>(stride) * element_bytes;
  }
  operand.is_read = use != Use::write;
  operand.is_written = use != Use::read;
  call_.operands.push_back(operand);
}

void BlasCall::matrix(const char* name, const void* pointer, Use use, std::int64_t rows, std::int64_t columns,
                      std::int64_t ld, std::size_t element_bytes) {
  matrices(name, pointer, use, rows, columns, ld, element_bytes, 0, 1);
}

void BlasCall::vector(const char* name, const void* pointer, Use use, std::int64_t n, std::int64_t inc,
                      std::size_t element_bytes) {
  matrix(name, pointer, use, 1, inc == 0 ? 1 : n, std::max<std::int64_t>(inc < 0 ? -inc : inc, 1), element_bytes);
}

void BlasCall::triangle(const char* name, const void* pointer, Use use, cublasFillMode_t uplo, std::int64_t n,
                        std::int64_t ld, std::size_t element_bytes) {
  const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;  // its columns begin at the diagonal
  LibraryOperand operand{name, pointer, static_cast<std::uint64_t>(is_lower ? n : 1) * element_bytes};
  operand.height = static_cast<std::uint64_t>(n);
  operand.row_stride = static_cast<std::uint64_t>(is_lower ? ld + 1 : ld) * element_bytes;
  operand.width_step = is_lower ? -static_cast<std::int64_t>(element_bytes) : static_cast<std::int64_t>(element_bytes);
  operand.is_read = use != Use::write;
  operand.is_written = use != Use::read;
  call_.operands.push_back(operand);
}

cublasStatus_t BlasCall::fetch(const char* name, const void* pointer, void* host, std::size_t bytes) {
  LibraryCall part{call_.name, call_.stream, true, true, {{name, pointer, bytes}}};
  part.compute = [host, bytes](void* const* memory) { std::memcpy(host, memory[0], bytes); };
  return status_of(cudasim_call_library(part));
}

cublasStatus_t BlasCall::bytes_of_scalar(const char* name, const void* pointer, void* value, std::size_t bytes) {
  if (pointer == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return fetch(name, pointer, value, bytes);
  std::memcpy(value, pointer, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t BlasCall::run(std::function<void(void* const*)> compute) {
  call_.compute = std::move(compute);
  return status_of(cudasim_call_library(call_));
}

}  // namespace cudasim
