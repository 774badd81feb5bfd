// SPDX-License-Identifier: MIT
// A transpose against cuBLAS's (Sgeam with beta 0), and against a copy, which no transpose can beat.
// links: cublas
#ifdef WORKBOOK_HAS_CUBLAS
#include <cublas_v2.h>
#endif

#include <climits>

#include "workbook/bench/matrix_benchmark.h"

namespace workbook {
namespace {

#ifdef WORKBOOK_HAS_CUBLAS

void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(call) + " failed: " + cublasGetStatusString(status));
  }
}

class Cublas {
 public:
  Cublas() { check_cublas(cublasCreate(&handle_), "cublasCreate"); }
  ~Cublas() { cublasDestroy(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  std::string name() const {
    int version = 0;
    check_cublas(cublasGetVersion(handle_, &version), "cublasGetVersion");
    // 130002 is 13.0.2, 120805 is 12.8.5.
    return "cublasSgeam, cuBLAS " + std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }

  // cuBLAS counts columns first: our rows x columns matrix is its columns x rows one.
  void transpose(const float* input, std::size_t rows, std::size_t columns, float* output) {
    const float one = 1.0f, zero = 0.0f;
    const int m = static_cast<int>(rows), n = static_cast<int>(columns);
    check_cublas(cublasSgeam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, input, n, &zero, output, m, output, m),
                 "cublasSgeam");
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

#endif

class TransposeBenchmark final : public MatrixBenchmark {
 public:
  TransposeBenchmark(const Settings& settings, std::size_t buffers)
      : MatrixBenchmark(Move::transpose, settings, buffers) {
    add_peer(library_peer());
    add_peer(copy_peer());
  }

 private:
  void move(ConstMatrix input, Matrix output, dim3 block) override {
    transpose_on_device(input, output, block, nullptr);
  }

  Peer library_peer() {
#ifdef WORKBOOK_HAS_CUBLAS
    if (current_device().is_simulated) return {"cublasSgeam", "cuBLAS needs a GPU", {}};
    if (rows() > INT_MAX || columns() > INT_MAX) return {"cublasSgeam", "it counts with 32 bits", {}};
    cublas_ = std::make_unique<Cublas>();
    return {cublas_->name(), "",
            [this](std::size_t turn) { cublas_->transpose(input(turn), rows(), columns(), output(turn)); }};
  }

  std::unique_ptr<Cublas> cublas_;
#else
    return {"cublasSgeam", "this toolkit has no cuBLAS", {}};
  }
#endif
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<TransposeBenchmark>(settings, buffers);
}

}  // namespace workbook
