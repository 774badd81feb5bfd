// SPDX-License-Identifier: MIT
// fails: hostile full
// Variant: each thread carries along what its additions have rounded away (Kahan's summation). That is three more
// additions a number, and each waits for the one before.
// To expect: little more time where the memory is the limit, as the loads hide the arithmetic. The error becomes
// smaller, though little. A thread adds only some hundred numbers, and the trees are exact enough already. An infinity
// makes NaN of the correction, and so of the sum. Code that must follow IEEE there has to test for it.
#include "answer_parts.cuh"

// The sum so far, and what it is too large by.
struct Kahan {
  float sum = 0.0f;
  float excess = 0.0f;

  __device__ void add(float number) {
    const float corrected = number - excess;
    const float next = sum + corrected;
    excess = (next - sum) - corrected;
    sum = next;
  }
};

__global__ void __launch_bounds__(1024)
    reduce_with_correction(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  const Layout layout(numbers, n);
  Kahan x, y, z, w;
  for_each_vector(layout, [&](float4 vector) {
    x.add(vector.x);
    y.add(vector.y);
    z.add(vector.z);
    w.add(vector.w);
  });
  const float excess = (x.excess + y.excess) + (z.excess + w.excess);
  const float sum = sum_of_vector(make_float4(x.sum, y.sum, z.sum, w.sum)) + head_and_tail(layout) - excess;
  const float sum_over_block = sum_of_block(sum);
  if (threadIdx.x < 32) {
    combine_blocks(sum_over_block, partial_sums, ticket);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  reduce_with_correction<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                             workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
