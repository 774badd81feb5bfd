// SPDX-License-Identifier: MIT
// One check for every call of the CUDA runtime. It throws one typed error with the call, its place, and CUDA's name for
// the error. Nothing here prints or exits. A student's file includes this header, and nvcc reads each header five
// times. So it includes no large header.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>

namespace workbook {

/// The exception for a call of the CUDA runtime that did not return cudaSuccess. what() is "FILE:LINE: CALL failed:
/// NAME (TEXT)", with CUDA's own name and text for the error. It has at most 1,000 bytes.
class CudaError : public std::exception {
 public:
  /// `call` and `file` are string literals.
  CudaError(cudaError_t code, const char* call, const char* file, int line);

  const char* what() const noexcept override { return what_; }
  cudaError_t code() const { return code_; }
  const char* call() const { return call_; }  ///< The call, as in the source.
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  cudaError_t code_;
  const char* call_;
  const char* file_;
  int line_;
  char what_[1000];
};

/// Throws CudaError unless `code` is cudaSuccess. Use CUDA_CHECK, which adds the place.
void check_cuda(cudaError_t code, const char* call, const char* file, int line);

/// The last call that returned to CUDA_CHECK, on any thread. It describes a program that does not end.
struct LastCall {
  const char* call = nullptr;  ///< Null: none.
  const char* file = nullptr;
  int line = 0;
};
LastCall last_call();
/// The last call in a file outside the library, so in a line of the student.
LastCall last_call_of_stage();
/// Whether `file`, as in a message, is one of common/workbook.
bool is_library_file(const char* file);

}  // namespace workbook

/// Use: `CUDA_CHECK(cudaMalloc(&pointer, size_bytes));` and, after a launch, `CUDA_CHECK(cudaGetLastError());`. It
/// takes any number of arguments, so that a template argument list may hold a comma.
#define CUDA_CHECK(...) ::workbook::check_cuda((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
