// refused: wrong-result: the ticket stays at the number of blocks, so that no block of the next reduction is the last
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: ticket-left
// The first call is right. Each later one returns what the first left behind, or whatever one block left. The ticket is
// part of the contract: 0 before, and 0 after.
#include "answer/linked_answer.cuh"

__device__ void combine_blocks(float sum, float* partial_sums, unsigned* ticket) {
  const unsigned lane = threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  unsigned tickets_before = 0;
  if (lane == 0) {
    partial_sums[blockIdx.x] = sum;
    tickets_before = tickets.fetch_add(1, cuda::memory_order_acq_rel);
  }
  __syncwarp();
  if (__shfl_sync(0xffffffffu, tickets_before, 0) + 1 < gridDim.x) {
    return;
  }
  float total = 0.0f;
  for (unsigned block = lane; block < gridDim.x; block += 32) {
    total += partial_sums[block];
  }
  total = sum_of_warp(total);
  if (lane == 0) {
    partial_sums[0] = total;
  }
}

#include "answer/launch_linked_answer.cuh"
