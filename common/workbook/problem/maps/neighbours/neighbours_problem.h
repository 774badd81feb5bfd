// SPDX-License-Identifier: MIT
// The sum of each number and its two neighbours, as a problem.
#pragma once

#include "workbook/problem/array_problem.h"

namespace workbook {

/// `on_device`: a stage's add_neighbours_on_device().
ArrayTask<int> neighbours_task(void (*on_device)(const int* input, int* output, std::size_t n, unsigned block_size,
                                                 cudaStream_t stream));

}  // namespace workbook
