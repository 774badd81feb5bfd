// SPDX-License-Identifier: MIT
// The reduction problem as a student meets it: the functions that a stage defines, and what it may use for them.
// The input, the reference, the error bound and the report live behind it, in this folder.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/gpu_timer.h"
#include "workbook/student/todo.h"

namespace workbook {

/// What the launches of one reduction have to themselves: device memory beside the numbers, and a stream. Owned by the
/// caller, and used by one reduction at a time.
struct Workspace {
  float* partial_sums = nullptr;       ///< ceil(n / block_size) floats
  float* next_partial_sums = nullptr;  ///< as many
  unsigned* ticket = nullptr;          ///< one number, 0 before and after each reduction; stages 01 to 06 need none
  cudaStream_t stream = nullptr;       ///< nullptr: the default stream, the only one that stages 01 to 06 use
};

}  // namespace workbook

/// The launches that add up numbers[0] ... numbers[n-1], in memory that is on the device already: no allocation, no
/// copy, no waiting. Each stage defines it; the benchmark times it.
///
/// numbers     n floats in DEVICE memory, n at least 1. They may be changed.
/// block_size  threads a block: a power of two from 32 to 1024.
/// workspace   see above.
/// Returns where in device memory the sum will be, once the stream's work is done. Throws workbook::CudaError.
const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size, const workbook::Workspace& workspace);

/// The sum of input[0] ... input[n-1], computed on the device: all seven host steps. Only stage 01 defines it; from
/// stage 02 on the library takes these steps around reduce_on_device().
///
/// input       n floats in HOST memory, owned by the caller. They must not change.
/// n           any number of elements; 0 has the sum 0.
/// block_size  threads a block: a power of two from 32 to 1024.
/// timer       start() before the first launch and stop() after the last; copies stay outside. Several pairs add up.
///             With n = 0 there is nothing to launch and nothing to time.
/// Returns the sum. Throws workbook::CudaError (through CUDA_CHECK) when a call fails. Frees all that it allocates.
float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer);
