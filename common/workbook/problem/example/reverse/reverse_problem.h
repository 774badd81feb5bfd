// SPDX-License-Identifier: MIT
// The simplest example of a problem, for authors: copy this folder, and change its contents. No stage uses it.
#pragma once

#include "workbook/problem/array_problem.h"

namespace workbook {

/// `on_device`: a stage's reverse_on_device().
ArrayTask<float> reverse_task(void (*on_device)(const float* input, float* output, std::size_t n, unsigned block_size,
                                                cudaStream_t stream));

}  // namespace workbook
