// SPDX-License-Identifier: MIT
// Pictures in device memory, and the function that a stage of maps defines. A map makes each element of the output from
// one element of the input.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// One point of a picture: how bright it is in each colour, from 0 to 1, and how opaque. It has 16 bytes, which a
/// thread loads and stores at once.
struct alignas(16) Pixel {
  float red;
  float green;
  float blue;
  float alpha;
};

__host__ __device__ constexpr Pixel white() { return {1.0f, 1.0f, 1.0f, 1.0f}; }

/// Dark for bright, and bright for dark. What is opaque stays so.
__host__ __device__ constexpr Pixel negative_of(Pixel pixel) {
  return {1.0f - pixel.red, 1.0f - pixel.green, 1.0f - pixel.blue, pixel.alpha};
}

/// The size of a picture: a brightness for each pixel, row by row. Pixel (row, column) is the number row * columns +
/// column.
struct Extents {
  unsigned rows = 0;
  unsigned columns = 0;
};

/// What is made of a picture.
enum class Map : unsigned char {
  negative,  ///< output = negative_of(input), for each pixel
  frame,     ///< output = white() in the first and the last `width` rows and columns, and else the input
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
void map_on_device(workbook::Map map, const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                   unsigned width, dim3 block, cudaStream_t stream);
