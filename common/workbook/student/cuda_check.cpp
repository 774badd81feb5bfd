// SPDX-License-Identifier: MIT
// The message of a failed call, and the last call that returned.
#include "workbook/student/cuda_check.h"

#include <atomic>
#include <cstdio>
#include <cstring>

namespace workbook {
namespace {

// Each member is atomic by itself: a reader on another thread may see parts of two calls in quick succession.
struct Kept {
  std::atomic<const char*> call{nullptr};
  std::atomic<const char*> file{nullptr};
  std::atomic<int> line{0};

  void set(const LastCall& last) {
    call.store(last.call, std::memory_order_relaxed);
    file.store(last.file, std::memory_order_relaxed);
    line.store(last.line, std::memory_order_relaxed);
  }
  LastCall get() const { return {call.load(), file.load(), line.load()}; }
};
Kept last, last_of_stage;

}  // namespace

bool is_library_file(const char* file) { return std::strstr(file, "common/workbook/") != nullptr; }

CudaError::CudaError(cudaError_t code, const char* call, const char* file, int line)
    : code_(code), call_(call), file_(file), line_(line) {
  std::snprintf(what_, sizeof what_, "%s:%d: %s failed: %s (%s)", file, line, call, cudaGetErrorName(code),
                cudaGetErrorString(code));
}

void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
  last.set({call, file, line});
  if (!is_library_file(file)) last_of_stage.set({call, file, line});
  if (code != cudaSuccess) throw CudaError(code, call, file, line);
}

LastCall last_call() { return last.get(); }

LastCall last_call_of_stage() { return last_of_stage.get(); }

}  // namespace workbook
