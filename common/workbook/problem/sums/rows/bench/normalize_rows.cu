// SPDX-License-Identifier: MIT
// The benchmark of stages that define normalize_rows_on_device().
#include "workbook/problem/sums/rows/bench/rows_benchmark.h"

namespace workbook {

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return std::make_unique<RowsBenchmark>(settings, buffers);
}

}  // namespace workbook
