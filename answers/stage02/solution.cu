// SPDX-License-Identifier: MIT
// Stage 02: no filter. The tree is that of stage 01, without the modulo. Every thread that has a neighbour at distance
// `stride` adds it, needed or not. Two barriers a step keep apart the reading of a number and its change. The host code
// is that of stage 01.
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

// Adds up the segments of `data`. Launch: ceil(n / blockDim.x) blocks of a power of two of threads.
//   data          n floats, changed. Block b owns the segment [b * blockDim.x, (b + 1) * blockDim.x).
//                 Thread t of the block owns element t of it.
//   partial_sums  gridDim.x floats of other memory. The sum of block b's segment goes to partial_sums[b].
__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    // BEGIN SOLUTION: every thread whose neighbour at distance `stride` exists (in this block's segment, and
    //     below n) adds it to its own element. First all threads read their neighbours into a register, then all write.
    //     One barrier stands between the two, one before the next step. All threads must come to both barriers. Do not
    //     use the modulo, shared memory, atomics or shuffles.
    const bool has_neighbour = tid + stride < blockDim.x && i + stride < n;
    const float neighbour = has_neighbour ? data[i + stride] : 0.0f;
    __syncthreads();  // all neighbours are read: from here on they may change
    if (has_neighbour) {
      data[i] += neighbour;
    }
    __syncthreads();  // all sums are written: from here on the next step may read them
    // END SOLUTION
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the steps of the kernel reduce_segments, then delete this line");
  float* partial_sums = workspace.partial_sums;
  do {
    // 3. Choose the grid, rounded up. 4. Launch. 5. The partial sums are the numbers of the next pass.
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  return data;
}
