// SPDX-License-Identifier: MIT
// What the variants of stage 07 leave as it is in the answer (answers/stage07/solution.cu has the reasons): head,
// vectors and tail, the sum of a block, the ticket, the grid. A variant replaces one of these, and has the rest from
// here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/reduction.h"

constexpr unsigned kLoads = 4;  // 16-byte loads that a thread has under way at the same time

// n numbers as up to 3 of the head, vectors at multiples of 16 bytes, and up to 3 of the tail.
struct Layout {
  const float* numbers;
  std::size_t n;
  std::size_t head;
  std::size_t vector_count;
  std::size_t tail;

  __device__ Layout(const float* numbers, std::size_t n) : numbers(numbers), n(n) {
    const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(numbers) / sizeof(float) % 4;
    head = min(n, (4 - past_boundary) % 4);
    vector_count = (n - head) / 4;
    tail = (n - head) % 4;
  }
  __device__ const float4* vectors() const { return reinterpret_cast<const float4*>(numbers + head); }

  // What this thread adds of head and tail: threads 0 to 2 of block 0 have something.
  __device__ float head_and_tail() const {
    if (blockIdx.x > 0) return 0.0f;
    const unsigned tid = threadIdx.x;
    return (tid < head ? numbers[tid] : 0.0f) + (tid < tail ? numbers[n - 1 - tid] : 0.0f);
  }
};

__device__ inline float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}

// Calls use(vector) for each vector that this thread owns, kLoads of them loaded at a time, and with a vector of zeros
// where the last tile ends early.
template <typename Use>
__device__ void for_each_vector(const Layout& layout, Use use) {
  const std::size_t tile_size = kLoads * blockDim.x;
  for (std::size_t tile = blockIdx.x * tile_size; tile < layout.vector_count; tile += gridDim.x * tile_size) {
    float4 loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = tile + k * blockDim.x + threadIdx.x;
      loaded[k] = i < layout.vector_count ? load_once(layout.vectors() + i) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      use(loaded[k]);
    }
  }
}

__device__ inline void add(float4& sums, float4 vector) {
  sums.x += vector.x;
  sums.y += vector.y;
  sums.z += vector.z;
  sums.w += vector.w;
}

__device__ inline float sum_of_vector(float4 sums) { return (sums.x + sums.y) + (sums.z + sums.w); }

// The answer's own sum of the numbers that this thread owns.
__device__ inline float sum_of_thread(const Layout& layout) {
  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for_each_vector(layout, [&](float4 vector) { add(sums, vector); });
  return sum_of_vector(sums) + layout.head_and_tail();
}

// Lane 0 gets the sum over the warp. Real: float or double.
template <typename Real>
__device__ Real sum_of_warp(Real sum) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  return sum;
}

// Thread 0 gets the sum over the block.
template <typename Real>
__device__ Real sum_of_block(Real sum) {
  __shared__ Real warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  return warp == 0 ? sum_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : Real{0}) : Real{0};
}

// For the first warp alone: thread 0 stores the partial sum number `index` of `count` and draws a ticket; the warp with
// the last ticket adds up all of them, in Real, and leaves the sum in partial_sums[0].
template <typename Real>
__device__ void combine(Real sum, unsigned index, unsigned count, float* partial_sums, unsigned* ticket) {
  const unsigned lane = threadIdx.x;
  if (count == 1) {
    if (lane == 0) {
      partial_sums[0] = static_cast<float>(sum);
    }
    return;
  }
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  unsigned tickets_before = 0;
  if (lane == 0) {
    partial_sums[index] = static_cast<float>(sum);
    tickets_before = tickets.fetch_add(1, cuda::memory_order_acq_rel);
  }
  __syncwarp();
  if (__shfl_sync(0xffffffffu, tickets_before, 0) + 1 < count) {
    return;
  }
  Real total = 0;
  for (unsigned i = lane; i < count; i += 32) {
    total += partial_sums[i];
  }
  total = sum_of_warp(total);
  if (lane == 0) {
    partial_sums[0] = static_cast<float>(total);
    tickets.store(0, cuda::memory_order_relaxed);
  }
}

inline unsigned multiprocessor_count() {
  int device = 0;
  int count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

struct Grid {
  unsigned blocks;
  unsigned threads;  // a block
};

inline Grid choose_grid(std::size_t n, unsigned block_size) {
  const auto tiles = [n](std::size_t threads) { return (n + 4 * kLoads * threads - 1) / (4 * kLoads * threads); };
  const std::size_t sms = tiles(block_size) > 1 ? multiprocessor_count() : 1;
  unsigned threads = block_size;
  while (threads > 64 && tiles(threads / 2) <= sms) {
    threads /= 2;
  }
  const std::size_t blocks = 1024 / threads * sms;
  return {static_cast<unsigned>(std::min(tiles(threads), tiles(threads) > 32 * blocks ? 2 * blocks : blocks)), threads};
}
