// SPDX-License-Identifier: MIT
// Filters of images in device memory, and the function that a stage of convolution defines.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/matrix.h"
#include "workbook/student/todo.h"

namespace workbook {

constexpr unsigned kMostFilterSize = 31;
constexpr unsigned kFilterPitch = 32;  ///< Floats from one row of a filter to the next.

/// A square of weights. `size` is odd, from 1 to kMostFilterSize. The weights are in DEVICE memory, at a multiple of 16
/// bytes. Each row has kFilterPitch floats, and those behind the first `size` are 0. So a row can be read four by four.
struct Filter {
  unsigned size = 1;
  /// The weights are products: weight (i, j) is down[i] * across[j]. Then row 0 of `weights` is `down`, row 1 is
  /// `across`, and there are no more.
  bool is_separable = false;
  const float* weights = nullptr;

  /// The cells on each side of the middle one.
  __host__ __device__ unsigned reach() const { return size / 2; }
  __host__ __device__ unsigned rows() const { return is_separable ? 2 : size; }
};

}  // namespace workbook

/// output(y, x) = the sum over i and j of weight(i, j) * input(y + i - reach, x + j - reach). The filter is not turned
/// round. (Mathematics calls this a correlation, and libraries call it a convolution.) Where the image ends, its last
/// pixel goes on: a row or a column outside counts as the nearest one inside. The function only puts work into the
/// stream: no allocation, no copy to the host, no waiting.
///
/// * input, output  Images in DEVICE memory with the same extents, which do not overlap. They have up to 1,000,000
///   rows and columns, and may have none. Each has a pitch of its own. Each row begins at a multiple of 16 bytes, and
///   the pitch is a multiple of 4. A kernel may load what lies between the columns and the pitch, which may be NaN, and
///   may not store there. The input must not change.
/// * filter  The weights.
/// * block   Threads a block, in x and y: one of those that the stage takes (--help lists them).
/// * stream  The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void convolve_on_device(workbook::ConstMatrix input, workbook::Matrix output, const workbook::Filter& filter,
                        dim3 block, cudaStream_t stream);
