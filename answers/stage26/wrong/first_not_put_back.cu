// refused: wrong-result: the hit of one search is still there for the next
// SPDX-License-Identifier: MIT
// shown by: --size 1003 --block-size 256 --hits one --at 517
// hint: first-left
#define finish(...) finish(Wrong(), __VA_ARGS__)
#include "answer/without_one_function.cuh"

__device__ void finish(Wrong, std::size_t n, unsigned long long* first, unsigned* ticket, unsigned long long* result) {
  __syncthreads();
  if (threadIdx.x > 0) {
    return;
  }
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  if (tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) {
    return;
  }
  *result = min(*first, static_cast<unsigned long long>(n));
  tickets.store(0, cuda::memory_order_relaxed);
}
