// SPDX-License-Identifier: MIT
// The benchmark of searches of a sorted table, for each form of them. Thrust's headers take long to compile, and here
// they are compiled once.
#pragma once

#include <cstddef>
#include <memory>

#include "workbook/bench/benchmark.h"
#include "workbook/problem/searches/binary_search/binary_search_problem.h"

namespace workbook {

std::unique_ptr<Benchmark> make_search_benchmark(const SearchForm& form, const Settings& settings, std::size_t buffers);

}  // namespace workbook
