// SPDX-License-Identifier: MIT
// The reduction problem as a student meets it: the one function that a stage defines, and what it may use for it.
// The input, the reference, the error bound and the report live behind it, in this folder.
#pragma once

#include <cstddef>

#include "workbook/cuda_check.h"
#include "workbook/gpu_timer.h"
#include "workbook/todo.h"

/// The sum of input[0] ... input[n-1], computed on the device. Each stage defines it in its own .cu file.
///
/// input       n floats in HOST memory, owned by the caller. They must not change.
/// n           any number of elements; 0 has the sum 0.
/// block_size  threads a block: a power of two from 32 to 1024.
/// timer       start() before the first launch and stop() after the last; copies stay outside. Several pairs add up.
///             With n = 0 there is nothing to launch and nothing to time.
/// Returns the sum. Throws workbook::CudaError (through CUDA_CHECK) when a call fails. Frees all that it allocates.
float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer);
