// SPDX-License-Identifier: MIT
// Stage 06: the last warp alone. Once no more than 32 threads add, they are the lanes of one warp. They pass their sums
// from register to register by shuffles, without shared memory or a barrier. The block size is a template parameter, so
// the compiler knows every step and writes the loop out. The load is that of stage 05.
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "workbook/student/reduction.h"

constexpr unsigned kCoarseFactor = 8;  // numbers a thread

// Adds up the segments of `input`. Launch: ceil(n / (kFactor * kBlockSize)) blocks of kBlockSize threads, a power of
// two from 32 to 1024.
//   input         n floats, only read. Block b owns the segment that begins at b * kFactor * kBlockSize and is as
//                 long. The block passes over it in kFactor tiles of kBlockSize numbers. Thread t takes number t of
//                 each tile.
//   values        kBlockSize floats. They are the sum of each thread's kFactor numbers, then partial sums until 64
//                 are left.
//   partial_sums  gridDim.x floats of other memory. The sum of block b's segment goes to partial_sums[b].
template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize];
  const unsigned tid = threadIdx.x;

  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * kBlockSize;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * kBlockSize + tid;
    sum += i < n ? input[i] : 0.0f;
  }
  values[tid] = sum;
  __syncthreads();

  // BEGIN SOLUTION: do the steps of stage 04 in shared memory while the stride is above 32, with #pragma
  //     unroll. Then the first warp goes on alone, in a register. Each lane takes values[tid] + values[tid + 32] (in a
  //     block of 32 threads only values[tid]). The lanes add their sums by __shfl_down_sync at distance 16, 8, 4, 2, 1.
  //     All 32 lanes take part in every shuffle, so the mask names them all: 0xffffffff. Thread 0 stores the block's
  //     sum. Do not use a barrier once the first warp is alone, and do not use volatile.
#pragma unroll
  for (unsigned stride = kBlockSize / 2; stride > 32; stride /= 2) {  // none at all for 64 threads or 32
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    float warp_sum = values[tid];
    if constexpr (kBlockSize > 32) {
      warp_sum += values[tid + 32];
    }
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      warp_sum += __shfl_down_sync(0xffffffffu, warp_sum, offset);
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
  // END SOLUTION
}

// A template parameter is fixed when the program is compiled, the block size when it runs: one kernel for each size.
void launch(unsigned blocks, unsigned block_size, const float* numbers, std::size_t n, float* partial_sums) {
  switch (block_size) {
    case 32:
      return reduce_segments<32, kCoarseFactor><<<blocks, 32>>>(numbers, n, partial_sums);
    case 64:
      return reduce_segments<64, kCoarseFactor><<<blocks, 64>>>(numbers, n, partial_sums);
    case 128:
      return reduce_segments<128, kCoarseFactor><<<blocks, 128>>>(numbers, n, partial_sums);
    case 256:
      return reduce_segments<256, kCoarseFactor><<<blocks, 256>>>(numbers, n, partial_sums);
    case 512:
      return reduce_segments<512, kCoarseFactor><<<blocks, 512>>>(numbers, n, partial_sums);
    case 1024:
      return reduce_segments<1024, kCoarseFactor><<<blocks, 1024>>>(numbers, n, partial_sums);
    default:
      throw std::invalid_argument("the block size must be a power of two from 32 to 1024");
  }
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the steps of the kernel reduce_segments, then delete this line");
  const std::size_t segment_size = std::size_t{kCoarseFactor} * block_size;  // numbers a block
  const float* numbers = input;
  float* partial_sums = workspace.partial_sums;
  float* next_partial_sums = workspace.next_partial_sums;
  do {
    // 3. Choose the grid, rounded up. 4. Launch. 5. The partial sums are the numbers of the next pass.
    const std::size_t blocks = (n + segment_size - 1) / segment_size;
    launch(static_cast<unsigned>(blocks), block_size, numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);  // the next pass must not write what its own blocks read
    n = blocks;
  } while (n > 1);
  return numbers;
}
