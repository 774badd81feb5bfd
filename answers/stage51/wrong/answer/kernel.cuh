// SPDX-License-Identifier: MIT
// The answer's function with a kernel of three parts that a wrong kernel may define: LEFT, RIGHT and END_OF_ROUND.
#include "workbook/student/neighbours.h"

#ifndef LEFT
#define LEFT \
  if (threadIdx.x == 0) tile[0] = i > 0 && i < n ? input[i - 1] : 0
#endif
#ifndef RIGHT
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i + 1 < n ? input[i + 1] : 0
#endif
#ifndef END_OF_ROUND
#define END_OF_ROUND __syncthreads()
#endif

#define add_neighbours_on_device right_add_neighbours_on_device
#include "../../solution.cu"
#undef add_neighbours_on_device

__global__ void wrong_kernel(const int* input, int* output, std::size_t n) {
  __shared__ int tile[kMostThreads + 2];
  const unsigned place = threadIdx.x + 1;
  for (unsigned round = 0; round < kTiles; ++round) {
    const std::size_t i = (std::size_t{blockIdx.x} * kTiles + round) * blockDim.x + threadIdx.x;
    tile[place] = i < n ? input[i] : 0;
    LEFT;
    RIGHT;
    __syncthreads();
    if (i < n) {
      output[i] = tile[place - 1] + tile[place] + tile[place + 1];
    }
    END_OF_ROUND;
  }
}

void add_neighbours_on_device(const int* input, int* output, std::size_t n, unsigned block_size, cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  const std::size_t numbers = std::size_t{kTiles} * block_size;
  wrong_kernel<<<static_cast<unsigned>((n + numbers - 1) / numbers), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

#undef LEFT
#undef RIGHT
#undef END_OF_ROUND
