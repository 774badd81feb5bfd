// refused: wrong-result: the tickets stay at the number of parts, so that the next product finds no last block
// SPDX-License-Identifier: MIT
// shown by: --size 4000x300 --block-size 128
// hint: ticket-left
#define is_last(...) is_last(Wrong(), __VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

__device__ bool is_last(Wrong, unsigned* ticket) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
    last = tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.y;
  }
  __syncthreads();
  return last;
}
