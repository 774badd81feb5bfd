// SPDX-License-Identifier: MIT
// y = A x.
// links: cublas
#include "workbook/problem/products/gemv/bench/gemv_benchmark.h"

namespace workbook {

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<GemvBenchmark>(Side::rows, &multiply_vector_on_device, settings, buffers);
}

}  // namespace workbook
