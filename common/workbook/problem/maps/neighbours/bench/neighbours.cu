// SPDX-License-Identifier: MIT
// The benchmark of stages that define add_neighbours_on_device().
#include "workbook/problem/array_benchmark.h"

namespace workbook {

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return make_array_benchmark(static_cast<const ArrayProblem&>(this_problem()), settings, buffers);
}

}  // namespace workbook
