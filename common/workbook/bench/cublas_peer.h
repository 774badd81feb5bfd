// SPDX-License-Identifier: MIT
// cuBLAS as a peer, where the toolkit has it. It is for .cu files with a line `// links: cublas`. Its storage is
// column-major: our rows x columns matrix is its columns x rows one, and A * B becomes B * A.
#pragma once

#ifdef WORKBOOK_HAS_CUBLAS
#include <cublas_v2.h>

#include <stdexcept>
#include <string>

namespace workbook {

inline void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(call) + " failed: " + cublasGetStatusString(status));
  }
}

/// The cuBLAS handle (RAII).
class Cublas {
 public:
  Cublas() { check_cublas(cublasCreate(&handle_), "cublasCreate"); }
  ~Cublas() { cublasDestroy(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  cublasHandle_t handle() const { return handle_; }

  /// Example: "cublasSgeam, cuBLAS 13.1.0".
  std::string name(const std::string& function) const {
    int version = 0;
    check_cublas(cublasGetVersion(handle_, &version), "cublasGetVersion");
    // 130002 is 13.0.2, 120805 is 12.8.5.
    return function + ", cuBLAS " + std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace workbook
#endif
