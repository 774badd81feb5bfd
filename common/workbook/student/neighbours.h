// SPDX-License-Identifier: MIT
// The sum of each number and its two neighbours: the function that a stage defines.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

/// output[i] = input[i - 1] + input[i] + input[i + 1], where a neighbour that does not exist counts as 0. The function
/// only puts work into the stream: no allocation, no copy to the host, no waiting.
///
/// * input, output  n numbers each in DEVICE memory, which do not overlap. The input must not change.
/// * n              Any number of elements, also none.
/// * block_size     Threads a block: a power of two from 32 to 1024.
/// * stream         The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void add_neighbours_on_device(const int* input, int* output, std::size_t n, unsigned block_size, cudaStream_t stream);
