// SPDX-License-Identifier: MIT
// Matrices in device memory, and the functions that a stage of copy or transpose defines.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// A matrix row by row: element (i, j) is data[i * pitch + j]. The memory between `columns` and `pitch` is not part of
/// the matrix. Pitches are in elements.
struct Matrix {
  float* data = nullptr;  ///< At a multiple of 4 bytes only.
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t pitch = 0;  ///< From one row to the next; at least `columns`.
};

/// The same for reading only.
struct ConstMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t pitch = 0;
};

}  // namespace workbook

/// output(i, j) = input(i, j), bit by bit, for bits of any meaning. The function only puts work into the stream: no
/// allocation, no copy to the host, no waiting.
///
/// * input, output  Matrices in DEVICE memory, with the same extents (any number of rows and columns, also none). Each
///   has a pitch of its own. They do not overlap. The input must not change.
/// * block          Threads a block, in x and y: one of those that the stage takes (--help lists them).
/// * stream         The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream);

/// output(j, i) = input(i, j), as above: output.rows is input.columns, and output.columns is input.rows.
void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream);
