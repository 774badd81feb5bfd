// SPDX-License-Identifier: MIT
// Pictures in device memory, and the functions that a stage of maps defines. A map makes each number of the output from
// one number of the input.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The brightness of white; black is 0.
constexpr float kWhite = 1.0f;

/// The size of a picture: a brightness for each pixel, row by row. Pixel (row, column) is the number row * columns +
/// column.
struct Extents {
  unsigned rows = 0;
  unsigned columns = 0;
};

/// What is made of a picture.
enum class Map : unsigned char {
  negative,  ///< output = kWhite - input, for each pixel
  frame,     ///< output = kWhite in the first and the last `width` rows and columns, and else the input
};

}  // namespace workbook

/// Makes a picture of another one. The function only puts work into the stream: no allocation, no copy to the host, no
/// waiting.
///
/// * input, output  Pictures in DEVICE memory, which do not overlap. The input must not change.
/// * extents        Any number of rows and columns up to 65,535 each, also none.
/// * width          Of the frame, up to 65,535. It may be 0, and more than half of the picture, which is white then.
/// * block          Threads a block, in x and y: one of those that the stage takes (--help lists them).
/// * stream         The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void map_on_device(workbook::Map map, const float* input, float* output, workbook::Extents extents, unsigned width,
                   dim3 block, cudaStream_t stream);
