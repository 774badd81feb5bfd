// refused: not-the-step: *first is read once, before the loop: a block never learns of a hit
// SPDX-License-Identifier: MIT
// hint: atomic-beside-plain
// A plain read within the loop is no better. It is a data race: nothing says which value it gets, or how often.
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
  const unsigned long long known = *first;
  const std::size_t tile_size = kLoads * blockDim.x;
  for (std::size_t tile = blockIdx.x * tile_size; tile < layout.vectors; tile += gridDim.x * tile_size) {
    if (known < layout.head + tile * kKeys) {
      break;
    }
    search_tile<T>(keys, layout, tile, x, first);
  }
  finish(n, first, ticket, result);
}
