// refused: wrong-result: where there is no hit, the result is kNoHit, and should be n
// SPDX-License-Identifier: MIT
// shown by: --size 33 --block-size 64
// hint: none-is-n
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
  *result = atomicExch(first, workbook::kNoHit);
  tickets.store(0, cuda::memory_order_relaxed);
}
