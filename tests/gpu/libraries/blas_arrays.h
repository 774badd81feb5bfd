// SPDX-License-Identifier: MIT
// What blas_cases.cu compares with: arrays on both sides, and elements of stored triangles.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

int failures = 0;
cublasHandle_t handle = nullptr;

void expect(bool is_right, const std::string& what) {
  if (is_right) return;
  ++failures;
  std::printf("wrong: %s\n", what.c_str());
}
void ok(cublasStatus_t status, const std::string& what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what + ": " + cublasGetStatusString(status));
}
void status(cublasStatus_t got, cublasStatus_t expected, const std::string& what) {
  expect(got == expected, what + ": " + cublasGetStatusName(got) + ", expected " + cublasGetStatusName(expected));
}

/// Whole numbers from -4 to 4; the same in each run.
std::uint32_t drawn = 1;
int draw() {
  drawn = drawn * 1664525u + 1013904223u;
  return static_cast<int>(drawn >> 16) % 9 - 4;
}

/// An array on the host and its copy on the device.
template <typename T>
struct Array {
  std::vector<T> host;
  T* device = nullptr;
  explicit Array(std::size_t count) : host(count) {
    for (T& value : host) value = static_cast<T>(static_cast<float>(draw()));
    cudaMalloc(&device, count * sizeof(T));
    cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(device); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  /// Whether the device has what the host has.
  void same(const std::string& what) const {
    std::vector<T> got(host.size());
    cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto is = static_cast<double>(static_cast<float>(got[i]));
      const auto should = static_cast<double>(static_cast<float>(host[i]));
      if (is == should) continue;
      return expect(false,
                    what + "[" + std::to_string(i) + "] is " + std::to_string(is) + ", not " + std::to_string(should));
    }
  }
};

/// cuBLAS' names for float and double.
template <typename T>
struct Blas;
#define NAMES(P, p, T)                                             \
  template <>                                                      \
  struct Blas<T> {                                                 \
    static constexpr auto axpy = cublas##P##axpy;                  \
    static constexpr auto scal = cublas##P##scal;                  \
    static constexpr auto copy = cublas##P##copy;                  \
    static constexpr auto swap = cublas##P##swap;                  \
    static constexpr auto rot = cublas##P##rot;                    \
    static constexpr auto dot = cublas##P##dot;                    \
    static constexpr auto nrm2 = cublas##P##nrm2;                  \
    static constexpr auto asum = cublas##P##asum;                  \
    static constexpr auto amax = cublasI##p##amax;                 \
    static constexpr auto amin = cublasI##p##amin;                 \
    static constexpr auto gemv = cublas##P##gemv;                  \
    static constexpr auto ger = cublas##P##ger;                    \
    static constexpr auto symv = cublas##P##symv;                  \
    static constexpr auto syr = cublas##P##syr;                    \
    static constexpr auto trmv = cublas##P##trmv;                  \
    static constexpr auto trsv = cublas##P##trsv;                  \
    static constexpr auto gemm = cublas##P##gemm;                  \
    static constexpr auto batched = cublas##P##gemmBatched;        \
    static constexpr auto strided = cublas##P##gemmStridedBatched; \
    static constexpr auto symm = cublas##P##symm;                  \
    static constexpr auto syrk = cublas##P##syrk;                  \
    static constexpr auto syr2k = cublas##P##syr2k;                \
    static constexpr auto trmm = cublas##P##trmm;                  \
    static constexpr auto trsm = cublas##P##trsm;                  \
    static constexpr auto geam = cublas##P##geam;                  \
    static constexpr auto dgmm = cublas##P##dgmm;                  \
  };
NAMES(S, s, float)
NAMES(D, d, double)

constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
constexpr cublasDiagType_t kDiagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

/// An element of op(A).
template <typename T>
T at(const std::vector<T>& a, int ld, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? a[row + column * ld] : a[column + row * ld];
}
/// Of a symmetric matrix of which one triangle is stored.
template <typename T>
T symmetric(const std::vector<T>& a, int ld, cublasFillMode_t fill, int row, int column) {
  const bool is_stored = fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
  return is_stored ? a[row + column * ld] : a[column + row * ld];
}
/// Of a triangle.
template <typename T>
T triangular(const std::vector<T>& a, int ld, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diag,
             int row, int column) {
  if (row == column && diag == CUBLAS_DIAG_UNIT) return T{1};
  const int r = op == CUBLAS_OP_N ? row : column, c = op == CUBLAS_OP_N ? column : row;
  const bool is_stored = fill == CUBLAS_FILL_MODE_LOWER ? r >= c : r <= c;
  return is_stored ? a[r + c * ld] : T{0};
}

}  // namespace
