// refused: barrier-divergence: the barrier is for all threads, and those beyond the edge never come to it
// SPDX-License-Identifier: MIT
// shown by: --size 100x37 --block-size 32x32
// hint: barrier-missed
// No thread needs the barrier, nor the tile: a thread reads from it what it has stored there itself.
#include "workbook/student/matrix.h"

#define copy_on_device right_copy_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef copy_on_device

__global__ void copy_through_tile(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_across) {
  __shared__ float tile[32][32];
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * blockDim.y + threadIdx.y;
  if (i < input.rows) {
    const std::size_t j = std::size_t{blockIdx.x % tiles_across} * blockDim.x + threadIdx.x;
    if (j < input.columns) {
      tile[threadIdx.y][threadIdx.x] = input.data[i * input.pitch + j];
      __syncthreads();
      output.data[i * output.pitch + j] = tile[threadIdx.y][threadIdx.x];
    }
  }
}

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const std::size_t tiles_down = (input.rows + block.y - 1) / block.y;
  copy_through_tile<<<static_cast<unsigned>(tiles_across * tiles_down), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
