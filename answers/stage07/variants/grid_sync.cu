// SPDX-License-Identifier: MIT
// slow simulated: own full
// Variant: all blocks meet (grid.sync() of cooperative groups), and block 0 adds up the partial sums. It reads like
// ordinary code; the fences are inside. It needs a cooperative launch, which is refused unless all blocks fit on the
// device at once. A block that has not started could not come to the meeting. At most one block an SM here: the more
// blocks, the longer the meeting.
// To expect: slower at small n by about half a microsecond, as blocks that could have ended wait for each other. No
// difference at large n.
#include <cooperative_groups.h>

#include "answer_parts.cuh"

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(1024) reduce_and_meet(const float* numbers, std::size_t n, float* partial_sums) {
  const float sum = sum_of_block(sum_of_thread(Layout(numbers, n)));
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.x] = sum;
  }
  cg::this_grid().sync();
  if (blockIdx.x > 0 || threadIdx.x >= 32) {
    return;
  }
  float total = 0.0f;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += 32) {
    total += partial_sums[block];
  }
  total = sum_of_warp(total);
  if (threadIdx.x == 0) {
    partial_sums[0] = total;
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const unsigned blocks = std::min(grid.blocks, static_cast<unsigned>(multiprocessors));
  void* arguments[] = {&numbers, &n, const_cast<float**>(&workspace.partial_sums)};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(reduce_and_meet), dim3(blocks),
                                         dim3(grid.threads), arguments, 0, workspace.stream));
  return workspace.partial_sums;
}
