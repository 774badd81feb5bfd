// refused: race: data[b] belongs to another block, which may not have read it when block b writes
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 1000003 --block-size 256
// hint: race-between-blocks
// Each data[b] belongs to the segment of block b / blockDim.x, for most b not block b itself. The blocks may happen to
// run in the order of their numbers. Then every such number is read before it is overwritten, and the sum is right. So
// a small grid, or a simulator that starts with block 0, shows nothing. No rule gives the blocks an order; in the
// reverse order the sum is wrong.
#include "answer/without_passes.cuh"

__global__ void reduce_in_place(float* data, std::size_t n) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    data[blockIdx.x] = data[i];  // the answer has other memory for the partial sums
  }
}

const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace&) {
  do {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_in_place<<<static_cast<unsigned>(blocks), block_size>>>(data, n);
    CUDA_CHECK(cudaGetLastError());
    n = blocks;
  } while (n > 1);
  return data;
}
