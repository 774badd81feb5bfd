// SPDX-License-Identifier: MIT
// Stage 04: sequential addressing. The stride goes from half the block down to 1, and the threads that add are always
// the first ones. So whole warps drop out together. The lanes of a warp touch words in a row, each in another bank.
// Everything else is stage 03.
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

// Adds up the segments of `input`. Launch: ceil(n / blockDim.x) blocks of a power of two of threads. Their shared
// memory is blockDim.x floats (the third argument of the launch, in bytes).
//   input         n floats, only read. Block b owns the segment [b * blockDim.x, (b + 1) * blockDim.x).
//   values        blockDim.x floats, one a thread. They are the segment, then its partial sums.
//   partial_sums  gridDim.x floats of other memory. The sum of block b's segment goes to partial_sums[b].
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();

  // BEGIN SOLUTION: stride = blockDim.x / 2, ..., 4, 2, 1. In each step the first `stride` threads add the
  //     value `stride` further on to their own. A barrier after each step, at which all threads of the block arrive.
  //     Do not use the modulo.
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();  // outside the `if`: a barrier is for all threads of the block
  }
  // END SOLUTION
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the steps of the kernel reduce_segments, then delete this line");
  const std::size_t shared_bytes = block_size * sizeof(float);  // a block's values[]
  const float* numbers = input;
  float* partial_sums = workspace.partial_sums;
  float* next_partial_sums = workspace.next_partial_sums;
  do {
    // 3. Choose the grid, rounded up. 4. Launch. 5. The partial sums are the numbers of the next pass.
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), block_size, shared_bytes>>>(numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);  // the next pass must not write what its own blocks read
    n = blocks;
  } while (n > 1);
  return numbers;
}
