// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 1 --todo`.
// As handed out: 166cb1ffcbce. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 01: a sum in global memory alone. Every block adds up one segment of the numbers, by pairs at distance 1, 2, 4,
// ..., and leaves one partial sum. The kernel is launched again on the partial sums until one number is left. The host
// side is part of the lesson: seven steps from host memory to the device and back.
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

// Adds up the segments of `data`. Launch: ceil(n / blockDim.x) blocks of a power of two of threads.
//   data          n floats, changed. Block b owns the segment [b * blockDim.x, (b + 1) * blockDim.x).
//                 Thread t of the block owns element t of it.
//   partial_sums  gridDim.x floats of other memory. The sum of block b's segment goes to partial_sums[b].
__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  // TODO (roughly 8 lines): stride = 1, 2, 4, ... while it is less than blockDim.x. In each step, every thread whose
  //     threadIdx.x is a multiple of 2 * stride adds an element to its own. That is the element `stride` further on, if
  //     there is one (mind n). A barrier after each step, for all threads. At the end thread 0 stores the block's sum.
  //     Compute the element's index in std::size_t: blockIdx.x * blockDim.x in unsigned is too small for large n. Do
  //     not use shared memory, atomics or shuffles.
}

// Steps 3 to 5, on numbers that are on the device already. The sum is the first number of what it returns.
const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // TODO (roughly 8 lines): until one number is left, and at least once:
  //     3. Choose the grid: enough blocks for n numbers, also where block_size does not divide n.
  //     4. Launch the kernel, and CUDA_CHECK(cudaGetLastError()): a launch itself returns nothing.
  //     5. Make the partial sums the numbers of the next pass; it must not write where its own blocks still read.
  //     The place for the first pass's partial sums is workspace.partial_sums.
  (void)n, (void)block_size, (void)workspace;  // only keeps the compiler quiet: delete it
  return data;
}

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;  // the sum of no numbers; a grid of no blocks would be an error
  float sum = 0.0f;

  // TODO (roughly 12 lines): the other host steps, each CUDA call inside CUDA_CHECK(...).
  //     1. Allocate device memory: n floats for the numbers, and one float a block for workspace.partial_sums.
  //     2. Copy the input to the device.
  //     Between timer.start() and timer.stop(): reduce_on_device(), the steps 3 to 5. It returns where the sum is.
  //     6. Copy the sum back into `sum`.
  //     7. Free the device memory.
  (void)input, (void)block_size, (void)timer;  // only keeps the compiler quiet: delete it
  WORKBOOK_TODO("write the kernel and the seven host steps, then delete this line");
  return sum;
}
