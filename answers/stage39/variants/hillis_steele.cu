// SPDX-License-Identifier: MIT
// Variant: all threads scan one array in shared memory, in rounds with distances 1, 2, 4, ... (Hillis and Steele).
// To expect: two barriers a round, and as many additions a thread as there are rounds.
#include <cstddef>

#include "workbook/student/scan.h"

using workbook::combine;
using workbook::Four;
using workbook::identity;
using workbook::Scan;

constexpr unsigned kMostThreads = 1024;  // of a block

// What the threads of the block below this one have together.
template <typename T>
__device__ T before_thread(T mine) {
  __shared__ T sums[kMostThreads];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const T below = threadIdx.x >= distance ? sums[threadIdx.x - distance] : identity<T>();
    __syncthreads();  // all have read what the next line changes
    sums[threadIdx.x] = combine(below, sums[threadIdx.x]);
    __syncthreads();
  }
  return threadIdx.x > 0 ? sums[threadIdx.x - 1] : identity<T>();
}

template <typename T>
__global__ void __launch_bounds__(kMostThreads) scan_blocks(Scan scan, const T* input, T* output, std::size_t n) {
  const std::size_t at = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  const Four<T> mine = workbook::load_four(input, at, n);
  T before = before_thread(combine(combine(mine.of[0], mine.of[1]), combine(mine.of[2], mine.of[3])));
  Four<T> result;
  for (unsigned i = 0; i < 4; ++i) {
    const T up_to = combine(before, mine.of[i]);
    result.of[i] = scan == Scan::inclusive ? up_to : before;
    before = up_to;
  }
  workbook::store_four(output, at, n, result);
}

template <typename T>
void scan_blocks_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                           cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  const std::size_t tile = 4 * std::size_t{block_size};
  scan_blocks<<<static_cast<unsigned>((n + tile - 1) / tile), block_size, 0, stream>>>(scan, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

template void scan_blocks_on_device(Scan, const int*, int*, std::size_t, unsigned, cudaStream_t);
template void scan_blocks_on_device(Scan, const float*, float*, std::size_t, unsigned, cudaStream_t);
template void scan_blocks_on_device(Scan, const workbook::Affine*, workbook::Affine*, std::size_t, unsigned,
                                    cudaStream_t);
