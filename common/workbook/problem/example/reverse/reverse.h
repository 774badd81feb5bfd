// SPDX-License-Identifier: MIT
// Reversing an array: the function that a stage of it would define.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

/// output[i] = input[n - 1 - i]. Only what has to be put into the stream: no allocation, no copy to the host, no
/// waiting.
///
/// input, output  n floats each in DEVICE memory, which do not overlap. The input must not change.
/// n              any number of elements, also none.
/// block_size     threads a block: a power of two from 32 to 1024.
/// stream         where the work goes.
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void reverse_on_device(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream);
