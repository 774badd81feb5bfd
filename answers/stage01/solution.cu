// SPDX-License-Identifier: MIT
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
  // BEGIN SOLUTION: stride = 1, 2, 4, ... while it is less than blockDim.x. In each step, every thread whose
  //     threadIdx.x is a multiple of 2 * stride adds an element to its own. That is the element `stride` further on, if
  //     there is one (mind n). A barrier after each step, for all threads. At the end thread 0 stores the block's sum.
  //     Compute the element's index in std::size_t: blockIdx.x * blockDim.x in unsigned is too small for large n. Do
  //     not use shared memory, atomics or shuffles.
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();  // the next step reads what other threads have written in this one
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
  // END SOLUTION
}

// Steps 3 to 5, on numbers that are on the device already. The sum is the first number of what it returns.
const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // BEGIN SOLUTION: until one number is left, and at least once:
  //     3. Choose the grid: enough blocks for n numbers, also where block_size does not divide n.
  //     4. Launch the kernel, and CUDA_CHECK(cudaGetLastError()): a launch itself returns nothing.
  //     5. Make the partial sums the numbers of the next pass; it must not write where its own blocks still read.
  //     The place for the first pass's partial sums is workspace.partial_sums.
  // UNTIL SOLVED: (void)n, (void)block_size, (void)workspace;  // only keeps the compiler quiet: delete it
  float* partial_sums = workspace.partial_sums;
  do {
    // 3. Choose the grid, rounded up: the last block may own a segment that is only partly there.
    const std::size_t blocks = (n + block_size - 1) / block_size;

    // 4. Launch, and ask whether the launch was accepted.
    reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());

    // 5. The partial sums are the next pass's numbers; the numbers' memory, no longer needed, takes its partial sums.
    // Kernels of one stream run one after another, so the host need not wait in between.
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  // END SOLUTION
  return data;
}

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;  // the sum of no numbers; a grid of no blocks would be an error
  float sum = 0.0f;

  // BEGIN SOLUTION: the other host steps, each CUDA call inside CUDA_CHECK(...).
  //     1. Allocate device memory: n floats for the numbers, and one float a block for workspace.partial_sums.
  //     2. Copy the input to the device.
  //     Between timer.start() and timer.stop(): reduce_on_device(), the steps 3 to 5. It returns where the sum is.
  //     6. Copy the sum back into `sum`.
  //     7. Free the device memory.
  // UNTIL SOLVED: (void)input, (void)block_size, (void)timer;  // only keeps the compiler quiet: delete it
  // UNTIL SOLVED: WORKBOOK_TODO("write the kernel and the seven host steps, then delete this line");
  // 1. Allocate device memory.
  const std::size_t first_blocks = (n + block_size - 1) / block_size;
  float* data = nullptr;
  workbook::Workspace workspace;
  CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&workspace.partial_sums, first_blocks * sizeof(float)));

  // 2. Copy the input to the device: the kernel changes this copy, never the caller's numbers.
  CUDA_CHECK(cudaMemcpy(data, input, n * sizeof(float), cudaMemcpyHostToDevice));

  timer.start();
  const float* const device_sum = reduce_on_device(data, n, block_size, workspace);
  timer.stop();

  // 6. Copy the sum back: cudaMemcpy waits for the kernels before it.
  CUDA_CHECK(cudaMemcpy(&sum, device_sum, sizeof(float), cudaMemcpyDeviceToHost));

  // 7. Free.
  CUDA_CHECK(cudaFree(workspace.partial_sums));
  CUDA_CHECK(cudaFree(data));
  // END SOLUTION
  return sum;
}
