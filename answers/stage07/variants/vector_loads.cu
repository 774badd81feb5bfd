// SPDX-License-Identifier: MIT
// Variant: 16-byte loads, but no loop. Each thread loads one vector, so there is a thread for every four numbers. With
// so many blocks, further launches of the same kernel add up the partial sums, as in stage 06.
// To expect: an SM full of threads has 32 KiB under way, and each block starts, loads, waits and ends. At large n that
// is clearly slower than the answer. At small n it is slower by the launches. Wide loads alone do not make it fast.
#include <utility>

#include "answer_parts.cuh"

// partial_sums[b] becomes the sum of the blockDim.x vectors of block b; block 0 has head and tail besides.
__global__ void __launch_bounds__(1024) reduce_vectors(const float* numbers, std::size_t n, float* partial_sums) {
  const Layout layout(numbers, n);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float4 vector = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (i < layout.vector_count) {
    vector = load_once(layout.vectors + i);
  }
  const float sum = sum_of_block(sum_of_vector(vector) + head_and_tail(layout));
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.x] = sum;
  }
}

const float* reduce_on_device(float* input, std::size_t n, unsigned block_size, const workbook::Workspace& workspace) {
  const float* numbers = input;
  float* partial_sums = workspace.partial_sums;
  float* next_partial_sums = workspace.next_partial_sums;
  do {
    const std::size_t numbers_a_block = std::size_t{4} * block_size;
    const std::size_t blocks = (n + numbers_a_block - 1) / numbers_a_block;
    reduce_vectors<<<static_cast<unsigned>(blocks), block_size, 0, workspace.stream>>>(numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);
    n = blocks;
  } while (n > 1);
  return numbers;
}
