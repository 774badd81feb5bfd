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

std::size_t BlasCall::add(LibraryOperand operand, Use use) {
  operand.is_read = use != Use::write;
  operand.is_written = use != Use::read;
  call_.operands.push_back(operand);
  return call_.operands.size() - 1;
}

std::size_t BlasCall::matrix(const char* name, const void* pointer, Use use, const MatrixShape& shape) {
  if (use == Use::none) return Operands::kNone;
  LibraryOperand operand{name, pointer, static_cast<std::uint64_t>(shape.rows) * shape.element_bytes};
  operand.height = static_cast<std::uint64_t>(shape.columns);
  operand.row_stride = static_cast<std::uint64_t>(shape.ld) * shape.element_bytes;
  if (shape.ld == shape.rows) {
    operand.width *= operand.height;
    operand.height = 1;
  }
  if (shape.stride > 0) {
    operand.depth = static_cast<std::uint64_t>(shape.count);
    operand.slice_stride = static_cast<std::uint64_t>(shape.stride) * shape.element_bytes;
  }
  return add(operand, use);
}

std::size_t BlasCall::vector(const char* name, const void* pointer, Use use, std::int64_t n, std::int64_t inc,
                             std::size_t element_bytes) {
  const std::int64_t distance = std::max<std::int64_t>(inc < 0 ? -inc : inc, 1);
  return matrix(name, pointer, use, {1, inc == 0 ? 1 : n, distance, element_bytes});
}

std::size_t BlasCall::triangle(const char* name, const void* pointer, Use use, cublasFillMode_t uplo, bool is_unit,
                               std::int64_t n, std::int64_t ld, std::size_t element_bytes) {
  const std::int64_t columns = is_unit ? n - 1 : n;
  if (use == Use::none || columns == 0) return Operands::kNone;
  const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;  // its columns begin at the diagonal
  const std::int64_t first = !is_unit ? 0 : is_lower ? 1 : ld;
  const auto bytes = static_cast<std::int64_t>(element_bytes);
  LibraryOperand operand{name, static_cast<const std::byte*>(pointer) + first * bytes,
                         static_cast<std::uint64_t>((is_lower ? columns : 1) * bytes)};
  operand.height = static_cast<std::uint64_t>(columns);
  operand.row_stride = static_cast<std::uint64_t>((is_lower ? ld + 1 : ld) * bytes);
  operand.width_step = is_lower ? -bytes : bytes;
  return add(operand, use);
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

}  // namespace cudasim
