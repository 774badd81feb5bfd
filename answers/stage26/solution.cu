// SPDX-License-Identifier: MIT
// Stage 26: the first hit. A search without a hit reads all keys once, as the sum of stage 07 does. A search with a hit
// shall stop early, and still give the first hit: the smallest index. So a block stops only when what it would read
// next lies behind a hit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda/atomic>

#include "workbook/student/find.h"

using workbook::kNoHit;

constexpr unsigned kLoads = 4;           // 16-byte loads that a thread has under way at the same time
constexpr unsigned kKeys = 4;            // in 16 bytes
constexpr unsigned kMostThreads = 256;   // a block
constexpr unsigned kThreadsAnSm = 1280;  // more read in vain behind a hit, fewer leave the memory idle

// Reads 16 bytes that no thread of this SM will ask for again: they need no place in its L1 cache.
__device__ uint4 load_once(const uint4* address) {
  uint4 value;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(address));
  return value;
}

template <typename T>
__device__ bool is_hit(unsigned bits, T x) {
  T key;
  memcpy(&key, &bits, sizeof key);
  return key == x;  // of floats, too: bits that are the same may be NaNs, and zeros have two signs
}

// Where in a vector its first hit is: 0 to 3, or kKeys where there is none.
template <typename T>
__device__ unsigned first_of_vector(uint4 keys, T x) {
  return is_hit(keys.x, x) ? 0 : is_hit(keys.y, x) ? 1 : is_hit(keys.z, x) ? 2 : is_hit(keys.w, x) ? 3 : kKeys;
}

// n keys, beginning at any address that a key may have. The head is up to 3 keys before the first multiple of 16 bytes.
// The tail is up to 3 after the last whole vector.
struct Layout {
  std::size_t head;
  std::size_t vectors;
  std::size_t tail;

  __device__ Layout(const void* keys, std::size_t n) {
    const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(keys) / sizeof(unsigned) % kKeys;
    head = min(n, (kKeys - past_boundary) % kKeys);
    vectors = (n - head) / kKeys;
    tail = (n - head) % kKeys;
  }
};

// Keeps the smallest hit of a tile, if it has one, in *first. The tile is the kLoads * blockDim.x vectors from `tile`
// on. Thread t owns those at t, t + blockDim.x, ... of it. All threads of the block come here.
template <typename T>
__device__ void search_tile(const T* keys, const Layout& layout, std::size_t tile, T x, unsigned long long* first) {
  const uint4* const vectors = reinterpret_cast<const uint4*>(keys + layout.head);
  // BEGIN SOLUTION: step 1. First all kLoads loads, with load_once(). For each compute first_of_vector(),
  //     which is kKeys where there is no vector. Then, load by load, __ballot_sync() says which lanes have a hit. Lanes
  //     are in the order of their keys, so the lowest of them has the warp's first hit of this load. The warp's later
  //     loads lie behind it. This lane alone takes its index to *first, by atomicMin().
  // UNTIL SOLVED: (void)vectors, (void)tile, (void)x, (void)first;  // only keeps the compiler quiet: delete it
  uint4 loaded[kLoads];
#pragma unroll
  for (unsigned k = 0; k < kLoads; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    loaded[k] = i < layout.vectors ? load_once(vectors + i) : uint4{};
  }
#pragma unroll
  for (unsigned k = 0; k < kLoads; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    const unsigned place = i < layout.vectors ? first_of_vector(loaded[k], x) : kKeys;
    const unsigned hits = __ballot_sync(0xffffffffu, place < kKeys);
    if (hits == 0) {
      continue;
    }
    if (threadIdx.x % 32 == __ffs(hits) - 1) {
      atomicMin(first, layout.head + i * kKeys + place);
    }
    return;
  }
  // END SOLUTION
}

// For a block that will search no more. The last one of the grid stores the result, and puts `first` and the ticket
// back. All threads of the block come here.
__device__ void finish(std::size_t n, unsigned long long* first, unsigned* ticket, unsigned long long* result) {
  // BEGIN SOLUTION: step 1. The ticket of stage 07. It must come after the hits of all warps of the block. The
  //     last block's thread 0 stores the smaller one of *first and n: min() takes two numbers of one type, here
  //     unsigned long long. Then it leaves kNoHit in *first and 0 in the ticket.
  // UNTIL SOLVED: (void)n, (void)first, (void)ticket, (void)result;  // only keeps the compiler quiet: delete it
  __syncthreads();
  if (threadIdx.x > 0) {
    return;
  }
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  if (tickets.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) {
    return;  // other blocks are still at work
  }
  *result = min(atomicExch(first, kNoHit), static_cast<unsigned long long>(n));
  tickets.store(0, cuda::memory_order_relaxed);
  // END SOLUTION
}

// Stores the smallest index of a key that is x, or n. Launch: one block at least. Blocks take tiles in turn, in the
// order of their keys, so what all blocks read at a time lies side by side.
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
    // BEGIN SOLUTION: step 2. Leave the loop when a hit is known that lies before this tile. It lies before all
    //     that this block would still read. *first counts keys, from keys[0] on. `tile` counts vectors, from the end of
    //     the head on. Thread 0 looks, with an atomic load, which the compiler may not move out of the loop. All
    //     threads must leave or none, as the others would wait at barriers: __syncthreads_or().
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> known(*first);
    if (__syncthreads_or(threadIdx.x == 0 && known.load(cuda::memory_order_relaxed) < layout.head + tile * kKeys)) {
      break;
    }
    // END SOLUTION
    search_tile<T>(keys, layout, tile, x, first);
  }
  finish(n, first, ticket, result);
}

// As many blocks as keep the memory busy, and not more than there are tiles.
unsigned choose_blocks(std::size_t n, unsigned block_size) {
  const std::size_t tile_keys = std::size_t{kLoads} * kKeys * block_size;
  const std::size_t tiles = (n + tile_keys - 1) / tile_keys;
  if (tiles <= 1) {
    return 1;  // when little is to be done, asking the device takes a share of the time that counts
  }
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(std::min(tiles, kThreadsAnSm / block_size * static_cast<std::size_t>(multiprocessors)));
}

template <typename T>
void find_on_device(const T* keys, std::size_t n, T x, unsigned block_size, const workbook::FindWorkspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write search_tile and finish, then delete this line; the early exit is step 2");
  find_first<<<choose_blocks(n, block_size), block_size, 0, workspace.stream>>>(keys, n, x, workspace.first,
                                                                                workspace.ticket, workspace.result);
  CUDA_CHECK(cudaGetLastError());
}

template void find_on_device(const unsigned*, std::size_t, unsigned, unsigned, const workbook::FindWorkspace&);
template void find_on_device(const int*, std::size_t, int, unsigned, const workbook::FindWorkspace&);
template void find_on_device(const float*, std::size_t, float, unsigned, const workbook::FindWorkspace&);
