// refused: race: lanes of one warp read what other lanes write with nothing but `volatile` in between
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: race-in-block
// Before Volta a warp had one program counter, and its lanes ran in step. Then this was the usual last warp; volatile
// only kept the values out of registers. Since Volta each lane has its own program counter. Nothing orders lane 16's
// `+=` and lane 0's read of its result. A machine that happens to run the lanes in step gets the right sum. This
// simulator does, and most GPUs mostly do, so only a race checker can refuse it.
#include "answer/without_kernel.cuh"

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize < 64 ? 64 : kBlockSize];  // 32 threads read up to values[47]
  const unsigned tid = threadIdx.x;
  add_until_64_are_left<kBlockSize>(sum_of_thread<kBlockSize, kFactor>(input, n), values);

  if (tid < 32) {
    volatile float* lanes = values;  // the answer adds in registers, by __shfl_down_sync()
    if constexpr (kBlockSize > 32) lanes[tid] += lanes[tid + 32];
    lanes[tid] += lanes[tid + 16];
    lanes[tid] += lanes[tid + 8];
    lanes[tid] += lanes[tid + 4];
    lanes[tid] += lanes[tid + 2];
    lanes[tid] += lanes[tid + 1];
    if (tid == 0) {
      partial_sums[blockIdx.x] = lanes[0];
    }
  }
}
