// SPDX-License-Identifier: MIT
// The answer, for the variants of stage 07. Each variant replaces one part and uses the others. These are Layout,
// load_once, sum_of_thread, sum_of_warp, sum_of_block, combine_blocks and choose_grid. The reasons for them are in
// answers/stage07/solution.cu. Below is what the answer does not have as a function. These are the pieces of its
// sum_of_thread, its sums in double, and its ticket for partial sums of any kind.
#pragma once

#include "workbook/student/reduction.h"

#define reduce_on_device answer_reduce_on_device  // each variant has its own
#include "../solution.cu"
#undef reduce_on_device

// What this thread adds of head and tail: threads 0 to 2 of block 0 have something.
__device__ inline float head_and_tail(const Layout& layout) {
  if (blockIdx.x > 0) return 0.0f;
  const unsigned tid = threadIdx.x;
  return (tid < layout.head ? layout.numbers[tid] : 0.0f) +
         (tid < layout.tail ? layout.numbers[layout.n - 1 - tid] : 0.0f);
}

// Calls use(vector) for each vector that this thread owns. It loads kLoads of them at a time. Where the last tile ends
// early, the vector is zeros.
template <typename Use>
__device__ void for_each_vector(const Layout& layout, Use use) {
  const std::size_t tile_size = kLoads * blockDim.x;
  for (std::size_t tile = blockIdx.x * tile_size; tile < layout.vector_count; tile += gridDim.x * tile_size) {
    float4 loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = tile + k * blockDim.x + threadIdx.x;
      loaded[k] = i < layout.vector_count ? load_once(layout.vectors + i) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
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

// The answer's sum_of_warp and sum_of_block, for doubles.
__device__ inline double sum_of_warp(double sum) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  return sum;
}

__device__ inline double sum_of_block(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  return warp == 0 ? sum_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0) : 0.0;
}

// The answer's combine_blocks where a partial sum is not a block's, or the sums are doubles. For the first warp alone.
// Thread 0 stores the partial sum number `index` of `count` and draws a ticket. The warp with the last ticket adds up
// all of them, in Real (float or double), and leaves the sum in partial_sums[0].
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
