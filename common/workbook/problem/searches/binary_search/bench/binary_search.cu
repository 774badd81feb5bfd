// SPDX-License-Identifier: MIT
// Searches of a sorted table: queries in any order.
#include "workbook/problem/searches/binary_search/bench/search_benchmark.h"

namespace workbook {

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return make_search_benchmark(SearchForm{&search_on_device}, settings, buffers);
}

}  // namespace workbook
