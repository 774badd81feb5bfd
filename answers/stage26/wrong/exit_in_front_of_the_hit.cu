// refused: wrong-result: a block stops as soon as any hit is known, also one that lies behind what it has not read
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 6007 --block-size 64 --hits sixteenth --type int
// hint: not-the-first
#define find_first(...) right_find_first(__VA_ARGS__)
#include "answer/without_one_function.cuh"

template <typename T>
__global__ void __launch_bounds__(kMostThreads) find_first(const T* keys, std::size_t n, T x, unsigned long long* first,
                                                           unsigned* ticket, unsigned long long* result) {
  const Layout layout(keys, n);
  const std::size_t ends = layout.head + layout.tail;
  if (blockIdx.x == 0 && threadIdx.x < ends) {
    const std::size_t i = threadIdx.x < layout.head ? threadIdx.x : n - ends + threadIdx.x;
    if (keys[i] == x) {
      atomicMin(first, static_cast<unsigned long long>(i));
    }
  }
  const std::size_t tile_size = kLoads * blockDim.x;
  for (std::size_t tile = blockIdx.x * tile_size; tile < layout.vectors; tile += gridDim.x * tile_size) {
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> known(*first);
    if (__syncthreads_or(threadIdx.x == 0 && known.load(cuda::memory_order_relaxed) != workbook::kNoHit)) {
      break;
    }
    search_tile<T>(keys, layout, tile, x, first);
  }
  finish(n, first, ticket, result);
}
