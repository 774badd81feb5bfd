// refused: wrong-result: thread 0 draws the ticket while other warps of its block still search
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 --size 1003 --hits one --at 517
// hint: none-found
#define finish(...) finish(Wrong(), __VA_ARGS__)
#include "answer/without_one_function.cuh"

__device__ void finish(Wrong, std::size_t n, unsigned long long* first, unsigned* ticket, unsigned long long* result) {
  if (threadIdx.x > 0) {
    return;
  }
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  if (tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) {
    return;
  }
  *result = min(atomicExch(first, workbook::kNoHit), static_cast<unsigned long long>(n));
  tickets.store(0, cuda::memory_order_relaxed);
}
