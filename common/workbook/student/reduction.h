// SPDX-License-Identifier: MIT
// The reduction problem: the functions that a stage defines, and their workspace. The input, the reference, the error
// bound and the report are in common/workbook/problem.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/gpu_timer.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The workspace of one reduction: device memory beside the numbers, and a stream. The caller owns it. One reduction at
/// a time uses it.
struct Workspace {
  float* partial_sums = nullptr;       ///< Holds ceil(n / block_size) floats.
  float* next_partial_sums = nullptr;  ///< The same number of floats.
  unsigned* ticket = nullptr;          ///< One number, 0 before and after each reduction. Stages 01 to 06 need none.
  cudaStream_t stream = nullptr;       ///< If null, the default stream. Stages 01 to 06 use only that.
};

}  // namespace workbook

/// The launches that add up numbers[0] ... numbers[n-1], in memory that is on the device already. No allocation, no
/// copy, no waiting. Each stage defines it. The benchmark times it.
///
/// * numbers     n floats in DEVICE memory, n at least 1. They may change.
/// * block_size  Threads a block: a power of two from 32 to 1024.
/// * workspace   See above.
///
/// Returns the place of the sum in device memory, after the stream's work ends. Throws workbook::CudaError.
const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size, const workbook::Workspace& workspace);

/// The sum of input[0] ... input[n-1], computed on the device: all seven host steps. Only stage 01 defines it. From
/// stage 02 on, the library takes these steps around reduce_on_device().
///
/// * input       n floats in HOST memory, owned by the caller. They must not change.
/// * n           Any number of elements; 0 has the sum 0.
/// * block_size  Threads a block: a power of two from 32 to 1024.
/// * timer       Call start() before the first launch and stop() after the last; copies stay outside. Several pairs add
///               up. With n = 0 there is nothing to launch and nothing to time.
///
/// Returns the sum. Throws workbook::CudaError (through CUDA_CHECK) when a call fails. Frees all memory that it
/// allocates.
float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer);
