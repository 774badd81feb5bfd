// SPDX-License-Identifier: MIT
// The words of a failed call, and the last one that came back.
#include "workbook/cuda_check.h"

#include <atomic>
#include <cstdio>

namespace workbook {
namespace {

// Each by itself: a reader on another thread may see parts of two calls that follow each other closely.
std::atomic<const char*> last_text{nullptr};
std::atomic<const char*> last_file{nullptr};
std::atomic<int> last_line{0};

}  // namespace

CudaError::CudaError(cudaError_t code, const char* call, const char* file, int line)
    : code_(code), call_(call), file_(file), line_(line) {
  std::snprintf(what_, sizeof what_, "%s:%d: %s failed: %s (%s)", file, line, call, cudaGetErrorName(code),
                cudaGetErrorString(code));
}

void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
  last_text.store(call, std::memory_order_relaxed);
  last_file.store(file, std::memory_order_relaxed);
  last_line.store(line, std::memory_order_relaxed);
  if (code != cudaSuccess) throw CudaError(code, call, file, line);
}

LastCall last_call() { return {last_text.load(), last_file.load(), last_line.load()}; }

}  // namespace workbook
