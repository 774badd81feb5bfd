// refused: race: the ticket is taken without releasing the partial sum, which may arrive after it
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: race-between-blocks
// The addition is atomic, but relaxed: it orders nothing around it. Another SM may see the ticket and not yet the
// partial sum that was stored before it. A plain atomicAdd() is relaxed as well. On a GPU the sum is nearly always
// right, so only a race checker refuses it. Either use memory_order_acq_rel, or a __threadfence() before the addition
// and another one after it.
#include "answer/linked_answer.cuh"

__device__ void combine_blocks(float sum, float* partial_sums, unsigned* ticket) {
  const unsigned lane = threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  unsigned tickets_before = 0;
  if (lane == 0) {
    partial_sums[blockIdx.x] = sum;
    tickets_before = tickets.fetch_add(1, cuda::memory_order_relaxed);
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
    tickets.store(0, cuda::memory_order_relaxed);
  }
}

#include "answer/launch_linked_answer.cuh"
