// refused: barrier-divergence: each thread looks for itself, and leaves while others wait for it
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 5003 --block-size 256 --hits all --misalign 1
// hint: barrier-missed
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
    if (known.load(cuda::memory_order_relaxed) < layout.head + tile * kKeys) {
      break;
    }
    __syncthreads();
    search_tile<T>(keys, layout, tile, x, first);
  }
  finish(n, first, ticket, result);
}
