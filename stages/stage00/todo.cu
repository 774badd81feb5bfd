// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 0 --todo`.
// As handed out: 858e45c2eb30. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 00: the first kernels. Each thread makes one pixel of the output from one pixel of the input. No thread needs
// what another one makes. So all that is to be found is which pixel is whose.
#include <cstddef>

#include "workbook/student/picture.h"

// The blocks that have a thread for each of n things. The last block has threads that are too many, its tail.
unsigned blocks_for(std::size_t n, unsigned block_size) {
  // TODO (1 line): step 1. A division of whole numbers rounds down, and here it must round up.
  return static_cast<unsigned>(n / block_size);  // replace
}

// output[i] = workbook::negative_of(input[i]), for all i below n. Launch: a thread for each i.
__global__ void make_negative(const workbook::Pixel* input, workbook::Pixel* output, std::size_t n) {
  // TODO (roughly 3 lines): step 1. The number i of this thread, from blockIdx.x, blockDim.x and
  //     threadIdx.x. Then its pixel, if there is one.
  (void)input, (void)output, (void)n;  // only keeps the compiler quiet: delete it
}

// Whether a pixel lies on the frame.
__device__ bool is_on_frame(unsigned row, unsigned column, workbook::Extents extents, unsigned width) {
  return row < width || row + width >= extents.rows || column < width || column + width >= extents.columns;
}

// White where the frame is, and else the input. Launch: a thread for each pixel. Blocks and grid have two dimensions:
// x along a row, y down a column.
__global__ void draw_frame(const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                           unsigned width) {
  // TODO (roughly 5 lines): step 2. The column of this thread from the .x of blockIdx, blockDim and
  //     threadIdx, and the row from their .y. Then its pixel, if there is one: ask is_on_frame().
  (void)input, (void)output, (void)extents, (void)width;  // only keeps the compiler quiet: delete it
}

void launch_negative(const workbook::Pixel* input, workbook::Pixel* output, std::size_t n, unsigned block_size,
                     cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write blocks_for and make_negative, then delete this line");
  make_negative<<<blocks_for(n, block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

void launch_frame(const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents, unsigned width,
                  dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("step 2: write draw_frame, then delete this line");
  const dim3 grid(blocks_for(extents.columns, block.x), blocks_for(extents.rows, block.y));
  draw_frame<<<grid, block, 0, stream>>>(input, output, extents, width);
  CUDA_CHECK(cudaGetLastError());
}

void map_on_device(workbook::Map map, const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                   unsigned width, dim3 block, cudaStream_t stream) {
  const std::size_t n = std::size_t{extents.rows} * extents.columns;
  if (n == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (map == workbook::Map::negative) {
    launch_negative(input, output, n, block.x * block.y, stream);
  } else {
    launch_frame(input, output, extents, width, block, stream);
  }
}
