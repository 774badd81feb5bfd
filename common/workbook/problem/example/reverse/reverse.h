// SPDX-License-Identifier: MIT
// Reversing an array: the function that a stage would define.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

/// output[i] = input[n - 1 - i]. The function only puts work into the stream: no allocation, no copy to the host, no
/// waiting.
///
/// * input, output  n floats each in DEVICE memory, which do not overlap. The input must not change.
/// * n              Any number of elements, also none.
/// * block_size     Threads a block: a power of two from 32 to 1024.
/// * stream         The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void reverse_on_device(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream);
