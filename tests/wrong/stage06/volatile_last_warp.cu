// refused: race: lanes of one warp read what other lanes write with nothing but `volatile` in between
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// Before Volta a warp had one program counter, its lanes ran in step, and this was how everybody wrote the last warp;
// volatile only kept the values out of registers. Since Volta each lane has its own program counter, and nothing
// orders lane 16's `+=` and lane 0's read of its result. A machine that happens to run the lanes in step gets the
// right sum (this simulator does, and most GPUs mostly do), so only a race checker can refuse it.
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "workbook/reduction.h"

constexpr unsigned kCoarseFactor = 8;

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize < 64 ? 64 : kBlockSize];  // 32 threads read up to values[47]
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

#pragma unroll
  for (unsigned stride = kBlockSize / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    volatile float* lanes = values;  // the trap
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

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;

  const std::size_t segment_size = std::size_t{kCoarseFactor} * block_size;
  const std::size_t first_blocks = (n + segment_size - 1) / segment_size;
  float* device_input = nullptr;
  float* partial_sums = nullptr;
  float* next_partial_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&device_input, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&partial_sums, first_blocks * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&next_partial_sums, first_blocks * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device_input, input, n * sizeof(float), cudaMemcpyHostToDevice));

  const float* numbers = device_input;
  timer.start();
  do {
    const std::size_t blocks = (n + segment_size - 1) / segment_size;
    launch(static_cast<unsigned>(blocks), block_size, numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);
    n = blocks;
  } while (n > 1);
  timer.stop();
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpy(&sum, numbers, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(next_partial_sums));
  CUDA_CHECK(cudaFree(partial_sums));
  CUDA_CHECK(cudaFree(device_input));
  return sum;
}
