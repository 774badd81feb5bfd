// SPDX-License-Identifier: MIT
// Grids of temperatures in device memory, and the functions that a stage of heat defines. In a step of time each cell
// takes heat from its neighbours, or gives them some (an explicit finite-difference step of the heat equation).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/matrix.h"
#include "workbook/student/todo.h"

namespace workbook {

/// A grid in three dimensions: cell (z, y, x) is data[(z * rows + y) * pitch + x]. Each row begins at a multiple of 16
/// bytes, and the pitch is a multiple of 4 cells. A kernel may load what lies between `columns` and `pitch`: it is
/// memory of the grid, and no cell. No kernel may store there.
struct Volume {
  float* data = nullptr;
  std::size_t planes = 0;
  std::size_t rows = 0;     ///< of a plane
  std::size_t columns = 0;  ///< cells of a row
  std::size_t pitch = 0;    ///< from one row to the next
};

/// The same for reading only.
struct ConstVolume {
  const float* data = nullptr;
  std::size_t planes = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t pitch = 0;
};

}  // namespace workbook

/// One step of a plane: output = centre + rate * (left + right + above + below - 4 * centre), all from the input. The
/// first and the last row and column are held: there the output is the input. The function only puts work into the
/// stream: no allocation, no copy to the host, no waiting.
///
/// * input, output  Grids in DEVICE memory with the same extents and the same pitch, which do not overlap. They have up
///   to 2^20 rows and columns, and may have none. Each row begins at a multiple of 16 bytes, and the pitch is a
///   multiple of 4. A kernel may load what lies between the columns and the pitch, which may be NaN, and may not store
///   there. All cells are finite. The input must not change.
/// * rate    How fast heat flows, from 0 to 1/4.
/// * block   Threads a block, in x and y: one of those that the stage takes (--help lists them).
/// * stream  The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void heat_step_on_device(workbook::ConstMatrix input, workbook::Matrix output, float rate, dim3 block,
                         cudaStream_t stream);

/// `steps` steps of a volume, each of them: output = centre + rate * (the sum of six neighbours - 6 * centre). The
/// first and the last plane, row and column are held.
///
/// * input, output  As above, with up to 65,536 planes, rows and columns.
/// * scratch  A third grid of the same extents and pitch, for what lies between two launches.
/// * rate     From 0 to 1/6.
/// * steps    At least 1.
/// * block, stream  As above.
void heat_steps_on_device(workbook::ConstVolume input, workbook::Volume output, workbook::Volume scratch, float rate,
                          unsigned steps, dim3 block, cudaStream_t stream);
