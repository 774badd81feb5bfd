// SPDX-License-Identifier: MIT
// A transpose against cuBLAS's (Sgeam with beta 0), and against a copy, which no transpose can beat.
// links: cublas
#include <climits>

#include "workbook/bench/cublas_peer.h"
#include "workbook/problem/products/matrix/bench/matrix_benchmark.h"

namespace workbook {
namespace {

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
    return {cublas_->name("cublasSgeam"), "", [this](std::size_t turn) { transpose(input(turn), output(turn)); }};
  }

  void transpose(const float* input, float* output) {
    const float one = 1.0f, zero = 0.0f;
    const int m = static_cast<int>(rows()), n = static_cast<int>(columns());
    check_cublas(
        cublasSgeam(cublas_->handle(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, input, n, &zero, output, m, output, m),
        "cublasSgeam");
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
