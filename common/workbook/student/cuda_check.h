// SPDX-License-Identifier: MIT
// One check for every call of the CUDA runtime: it throws one typed error that says which call failed, where, and what
// CUDA calls it. Nothing here prints or exits. A student's file includes this, and nvcc reads each header five times:
// so this one includes nothing that is large.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>

namespace workbook {

/// A call of the CUDA runtime that did not return cudaSuccess.
/// what() is "FILE:LINE: CALL failed: NAME (TEXT)", with CUDA's own name and text for the error; 1,000 bytes of it.
class CudaError : public std::exception {
 public:
  /// `call` and `file` are string literals.
  CudaError(cudaError_t code, const char* call, const char* file, int line);

  const char* what() const noexcept override { return what_; }
  cudaError_t code() const { return code_; }
  const char* call() const { return call_; }  ///< the call as it stands in the source
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  cudaError_t code_;
  const char* call_;
  const char* file_;
  int line_;
  char what_[1000];
};

/// Throws CudaError unless `code` is cudaSuccess. Call it through CUDA_CHECK, which knows the place.
void check_cuda(cudaError_t code, const char* call, const char* file, int line);

/// The last call that came back to CUDA_CHECK, on any thread: what is known of a program that does not end.
struct LastCall {
  const char* call = nullptr;  ///< null: none
  const char* file = nullptr;
  int line = 0;
};
LastCall last_call();
/// The last one in a file that is not the library's own: a line that a student knows.
LastCall last_call_of_stage();
/// Whether `file`, as a message names it, is one of common/workbook.
bool is_library_file(const char* file);

}  // namespace workbook

/// `CUDA_CHECK(cudaMalloc(&pointer, size_bytes));` and, after a launch, `CUDA_CHECK(cudaGetLastError());`.
/// Takes any number of arguments, so that a template argument list may hold a comma.
#define CUDA_CHECK(...) ::workbook::check_cuda((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
