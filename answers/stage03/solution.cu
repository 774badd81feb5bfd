// SPDX-License-Identifier: MIT
// Stage 03: the tree in shared memory. A block reads each number of its segment once from global memory. It does all
// its steps in the memory that its threads share, with the modulo of stage 01. The input is not modified, so the host
// keeps two buffers for partial sums, which take turns.
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

  // BEGIN SOLUTION: each thread copies its number into values[], or 0 where the segment ends early. Then do
  //     the steps of stage 01 (stride 1, 2, 4, ..., the filter with the modulo) on values[]. Thread 0 stores the sum.
  //     Ask before each line: which thread wrote what it reads, and which barrier lies in between? Read each number of
  //     the input once; do not write to it.
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  values[tid] = i < n ? input[i] : 0.0f;  // 0 changes no sum, so the steps need not know n
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
  // END SOLUTION
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the kernel reduce_segments, then delete this line");
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
