// SPDX-License-Identifier: MIT
// A copy of a matrix against the runtime's own.
#include "workbook/problem/products/matrix/bench/matrix_benchmark.h"

namespace workbook {
namespace {

class CopyBenchmark final : public MatrixBenchmark {
 public:
  CopyBenchmark(const Settings& settings, std::size_t buffers) : MatrixBenchmark(Move::copy, settings, buffers) {
    add_peer(copy_peer());
  }

 private:
  void move(ConstMatrix input, Matrix output, dim3 block) override { copy_on_device(input, output, block, nullptr); }
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<CopyBenchmark>(settings, buffers);
}

}  // namespace workbook
