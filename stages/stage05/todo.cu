// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 5 --todo`.
// As handed out: 6a0a0f78ead3. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 05: thread coarsening. A thread first adds kFactor numbers in a register. Then the block does the tree of stage
// 04 once for all of them. So there are a kFactor-th of the blocks, barriers and partial sums. A thread has kFactor
// loads on their way at the same time. The host only has to know that a block takes more numbers.
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

constexpr unsigned kCoarseFactor = 8;  // numbers a thread

// Adds up the segments of `input`. Launch: ceil(n / (kFactor * blockDim.x)) blocks of a power of two of threads, with
// blockDim.x floats of shared memory.
//   input         n floats, only read. Block b owns the segment that begins at b * kFactor * blockDim.x and is as
//                 long. The block passes over it in kFactor tiles of blockDim.x numbers. Thread t takes number t of
//                 each tile.
//   values        blockDim.x floats. They are the sum of each thread's kFactor numbers, then partial sums.
//   partial_sums  gridDim.x floats of other memory. The sum of block b's segment goes to partial_sums[b].
template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;

  // TODO (roughly 7 lines): find where the block's segment begins. Each thread adds kFactor numbers of it in a
  //     register (mind n), one from each tile. So neighbouring threads read neighbouring numbers in every load. Its sum
  //     goes to values[tid].
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
  }
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  WORKBOOK_TODO("write the load of the kernel and the segment size, then delete this line");
  // TODO (1 line): how many numbers does one block add up?
  const std::size_t segment_size = n;                           // replace: one block for all
  const std::size_t shared_bytes = block_size * sizeof(float);  // a block's values[]
  const float* numbers = input;
  float* partial_sums = workspace.partial_sums;
  float* next_partial_sums = workspace.next_partial_sums;
  do {
    // 3. Choose the grid, rounded up. 4. Launch. 5. The partial sums are the numbers of the next pass.
    const std::size_t blocks = (n + segment_size - 1) / segment_size;
    reduce_segments<kCoarseFactor>
        <<<static_cast<unsigned>(blocks), block_size, shared_bytes>>>(numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);  // the next pass must not write what its own blocks read
    n = blocks;
  } while (n > 1);
  return numbers;
}
