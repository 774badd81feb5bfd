// SPDX-License-Identifier: MIT
// Matrices in device memory as a student meets them, and the functions that a stage of copy or transpose defines.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// A matrix row by row: element (i, j) is data[i * pitch + j]. What lies between `columns` and `pitch` belongs to
/// somebody else. Pitches are in elements.
struct Matrix {
  float* data = nullptr;  ///< at a multiple of 4 bytes, and of no more
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t pitch = 0;  ///< from one row to the next; at least `columns`
};

/// The same, only read.
struct ConstMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t pitch = 0;
};

}  // namespace workbook

/// output(i, j) = input(i, j), to the bit, whatever the bits stand for. Only what has to be put into the stream: no
/// allocation, no copy to the host, no waiting.
///
/// input, output  matrices in DEVICE memory, with the same extents (any number of rows and columns, also none) and each
///                with a pitch of its own. They do not overlap. input must not change.
/// block          threads a block, in x and y: one of those that the stage takes (--help lists them).
/// stream         where the work goes.
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream);

/// output(j, i) = input(i, j), as above: output.rows is input.columns, and output.columns is input.rows.
void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream);
