// SPDX-License-Identifier: MIT
// One check for every call of the CUDA runtime: it throws one typed error that says which call failed, where, and what
// CUDA calls it. Nothing here prints or exits.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace workbook {

/// A call of the CUDA runtime that did not return cudaSuccess.
/// what() is "FILE:LINE: CALL failed: NAME (TEXT)", with CUDA's own name and text for the error.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* call, const char* file, int line)
      : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call +
                           " failed: " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")"),
        code_(code),
        call_(call),
        file_(file),
        line_(line) {}

  cudaError_t code() const { return code_; }
  const std::string& call() const { return call_; }  ///< the call as it stands in the source
  const std::string& file() const { return file_; }
  int line() const { return line_; }

 private:
  cudaError_t code_;
  std::string call_;
  std::string file_;
  int line_;
};

/// Throws CudaError unless `code` is cudaSuccess. Call it through CUDA_CHECK, which knows the place.
inline void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) throw CudaError(code, call, file, line);
}

}  // namespace workbook

/// `CUDA_CHECK(cudaMalloc(&pointer, size_bytes));` and, after a launch, `CUDA_CHECK(cudaGetLastError());`.
/// Takes any number of arguments, so that a template argument list may hold a comma.
#define CUDA_CHECK(...) ::workbook::check_cuda((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
