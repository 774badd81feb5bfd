// SPDX-License-Identifier: MIT
// needs: compute_90
// not simulated: thread block clusters
// Variant: eight blocks form a cluster, which runs on neighbouring SMs at the same time. Each stores its sum straight
// into the shared memory of the cluster's first block, which alone has a partial sum and a ticket.
// To expect: a loss. There are only a few hundred partial sums to save. For that, eight blocks have to start together
// and to meet twice. On an H200 it is slower at large n, too.
#include <cooperative_groups.h>

#include "answer_parts.cuh"

namespace cg = cooperative_groups;

constexpr unsigned kClusterSize = 8;

__global__ void __cluster_dims__(kClusterSize, 1, 1) __launch_bounds__(1024)
    reduce_in_clusters(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  __shared__ float block_sums[kClusterSize];  // used in the first block of the cluster
  const cg::cluster_group cluster = cg::this_cluster();
  const float sum = sum_of_block(sum_of_thread(Layout(numbers, n)));

  cluster.sync();  // the first block has started: before that, its shared memory must not be touched
  if (threadIdx.x == 0) {
    *cluster.map_shared_rank(&block_sums[cluster.block_rank()], 0) = sum;
  }
  cluster.sync();  // all eight sums are there
  if (cluster.block_rank() > 0 || threadIdx.x >= 32) {
    return;
  }
  const float sum_of_cluster = sum_of_warp(threadIdx.x < kClusterSize ? block_sums[threadIdx.x] : 0.0f);
  combine(sum_of_cluster, blockIdx.x / kClusterSize, gridDim.x / kClusterSize, partial_sums, ticket);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  const unsigned clusters = (grid.blocks + kClusterSize - 1) / kClusterSize;
  reduce_in_clusters<<<clusters * kClusterSize, grid.threads, 0, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                                     workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
