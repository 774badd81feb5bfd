// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 51 --todo`.
// As handed out: c9175786f364. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 51: somebody's kernel. It was right for a million numbers on one GPU, and it has three mistakes. The simulator
// names them, one after the other.
#include <cstddef>

#include "workbook/student/neighbours.h"

constexpr unsigned kTiles = 4;  // of a block, one after the other
constexpr unsigned kMostThreads = 1024;

// output[i] = input[i - 1] + input[i] + input[i + 1]. A tile has a number of each thread of the block, and one more at
// each end. So each number is loaded from global memory once, and used three times.
__global__ void add_neighbours(const int* input, int* output, std::size_t n) {
  __shared__ int tile[kMostThreads + 2];
  const unsigned place = threadIdx.x + 1;
  for (unsigned round = 0; round < kTiles; ++round) {
    const std::size_t i = (std::size_t{blockIdx.x} * kTiles + round) * blockDim.x + threadIdx.x;
    tile[place] = i < n ? input[i] : 0;
    if (threadIdx.x == 0 && i > 0 && i < n) {
      tile[0] = input[i - 1];
    }
    if (threadIdx.x == blockDim.x - 1) {
      tile[place + 1] = i < n ? input[i + 1] : 0;
    }
    __syncthreads();
    if (i < n) {
      output[i] = tile[place - 1] + tile[place] + tile[place + 1];
    }
  }
}

void add_neighbours_on_device(const int* input, int* output, std::size_t n, unsigned block_size, cudaStream_t stream) {
  WORKBOOK_TODO("read the kernel, then delete this line: a run names what is wrong with it");
  if (n == 0) {
    return;
  }
  const std::size_t numbers = std::size_t{kTiles} * block_size;  // of a block
  add_neighbours<<<static_cast<unsigned>((n + numbers - 1) / numbers), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
