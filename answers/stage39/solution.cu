// SPDX-License-Identifier: MIT
// Stage 39: scan in a block. Each thread scans four elements, each warp what its threads have, and the block what its
// warps have: the same step three times. So a block needs one barrier.
#include <cstddef>

#include "workbook/student/scan.h"

using workbook::combine;
using workbook::Four;
using workbook::identity;
using workbook::Scan;

constexpr unsigned kWarp = 32;
constexpr unsigned kMostWarps = 32;  // of a block

// What lies before a thread, or a warp, and what all of them have together.
template <typename T>
struct Scanned {
  T before;
  T all;
};

// The four elements of a thread, scanned. `before` is what all elements before them have together.
template <typename T>
__device__ Four<T> scan_four(Scan scan, T before, const Four<T>& mine) {
  Four<T> result;
  // BEGIN SOLUTION: step 1. Inclusive: result.of[i] is `before` and mine.of[0] to mine.of[i]
  //     together. Exclusive: the same without mine.of[i]. combine() takes first what stands before. For some types the
  //     two cannot be exchanged.
  // UNTIL SOLVED: (void)scan, (void)before, result = mine;  // replace
  for (unsigned i = 0; i < 4; ++i) {
    const T up_to = combine(before, mine.of[i]);
    result.of[i] = scan == Scan::inclusive ? up_to : before;
    before = up_to;
  }
  // END SOLUTION
  return result;
}

// Scans what the lanes of a warp have: `before` is what the lanes below this one have together. All lanes come here.
template <typename T>
__device__ Scanned<T> scan_warp(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  // BEGIN SOLUTION: step 2. Inclusive first, in five rounds with distances 1, 2, 4, 8, 16.
  //     workbook::shuffle_up(value, distance) gives the value of the lane that is so far below. All lanes must call it.
  //     A lane that has no lane so far below keeps what it has. `all` is then what lane 31 has; take it by
  //     workbook::shuffle(value, lane). `before` is what the lane below has; for lane 0 it is identity<T>().
  // UNTIL SOLVED: return (void)lane, Scanned<T>{identity<T>(), mine};  // replace
  T up_to = mine;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T below = workbook::shuffle_up(up_to, distance);
    up_to = lane >= distance ? combine(below, up_to) : up_to;
  }
  const T below = workbook::shuffle_up(up_to, 1);
  return {lane > 0 ? below : identity<T>(), workbook::shuffle(up_to, kWarp - 1)};
  // END SOLUTION
}

// What the threads of the block below this one have together. All threads of the block come here.
template <typename T>
__device__ T before_thread(T mine) {
  __shared__ T sums_of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Scanned<T> in_warp = scan_warp(mine);
  // BEGIN SOLUTION: step 3. One lane of each warp leaves the warp's `all` in shared memory. Behind a barrier
  //     each warp scans these sums: lane i takes that of warp i, or the identity where there is no warp i. Then lane
  //     `warp` has what lies before this warp. It comes before in_warp.before.
  // UNTIL SOLVED: return (void)sums_of_warps, (void)lane, (void)warp, (void)warps, in_warp.before;  // replace
  if (lane == 0) {
    sums_of_warps[warp] = in_warp.all;
  }
  __syncthreads();
  const Scanned<T> of_warps = scan_warp(lane < warps ? sums_of_warps[lane] : identity<T>());
  return combine(workbook::shuffle(of_warps.before, warp), in_warp.before);
  // END SOLUTION
}

// Launch: a thread for each four elements.
template <typename T>
__global__ void __launch_bounds__(kWarp* kMostWarps) scan_blocks(Scan scan, const T* input, T* output, std::size_t n) {
  const std::size_t at = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  const Four<T> mine = workbook::load_four(input, at, n);
  const T all = combine(combine(mine.of[0], mine.of[1]), combine(mine.of[2], mine.of[3]));
  workbook::store_four(output, at, n, scan_four(scan, before_thread(all), mine));
}

template <typename T>
void scan_blocks_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                           cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write scan_four, then delete this line");
  // UNTIL SOLVED: if (n > 4) WORKBOOK_TODO("step 2: write scan_warp, then delete this line");
  // UNTIL SOLVED: if (n > 128 && block_size > kWarp) WORKBOOK_TODO("step 3: write before_thread, then delete this");
  const std::size_t tile = 4 * std::size_t{block_size};
  scan_blocks<<<static_cast<unsigned>((n + tile - 1) / tile), block_size, 0, stream>>>(scan, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

template void scan_blocks_on_device(Scan, const int*, int*, std::size_t, unsigned, cudaStream_t);
template void scan_blocks_on_device(Scan, const float*, float*, std::size_t, unsigned, cudaStream_t);
template void scan_blocks_on_device(Scan, const workbook::Affine*, workbook::Affine*, std::size_t, unsigned,
                                    cudaStream_t);
