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

/// A picture: a brightness for each pixel, row by row. Pixel (row, column) is the number row * columns + column.
struct Extents {
  unsigned rows = 0;
  unsigned columns = 0;
};

}  // namespace workbook

/// The negative of a picture, whose rows do not matter for it: output[i] = kWhite - input[i] for all i below n. The
/// function only puts work into the stream: no allocation, no copy to the host, no waiting.
///
/// * input, output  n numbers each in DEVICE memory, which do not overlap. The input must not change.
/// * n              Any number of pixels, also none.
/// * block_size     Threads a block: a multiple of 32, 1,024 at most.
/// * stream         The stream for all work.
///
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void make_negative_on_device(const float* input, float* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream);

/// A white frame around a picture: the output is kWhite in the first and the last `width` rows and columns, and else
/// the input. It only puts work into the stream, and throws, as above.
///
/// * input, output  Pictures in DEVICE memory, which do not overlap. The input must not change.
/// * extents        Any number of rows and columns up to 65,535 each, also none.
/// * width          Of the frame, up to 65,535. It may be 0, and more than half of the picture, which is white then.
/// * block          Threads a block, in x and y: one of those that the stage takes (--help lists them).
void draw_frame_on_device(const float* input, float* output, workbook::Extents extents, unsigned width, dim3 block,
                          cudaStream_t stream);
