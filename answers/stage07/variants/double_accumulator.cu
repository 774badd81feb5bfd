// SPDX-License-Identifier: MIT
// Variant: the sums of a thread, of a block and of all blocks are doubles. Only the partial sums between, and the
// result, are rounded to float.
// To expect: little more time on a GPU for data centres, which adds doubles at half the rate of floats. On others the
// rate is 1/64, and the loads do not hide the arithmetic. The error falls to little more than that of the last
// rounding.
#include "answer_parts.cuh"

__global__ void __launch_bounds__(1024)
    reduce_in_double(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  const Layout layout(numbers, n);
  double x = 0.0, y = 0.0, z = 0.0, w = 0.0;
  for_each_vector(layout, [&](float4 vector) {
    x += vector.x;
    y += vector.y;
    z += vector.z;
    w += vector.w;
  });
  const double sum = sum_of_block((x + y) + (z + w) + head_and_tail(layout));
  if (threadIdx.x < 32) {
    combine(sum, blockIdx.x, gridDim.x, partial_sums, ticket);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  reduce_in_double<<<grid.blocks, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                       workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
