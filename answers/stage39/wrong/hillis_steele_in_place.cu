// refused: race: a thread adds to its place while the thread behind it may not have read it yet
// SPDX-License-Identifier: MIT
// shown by: --size 1024 --elements ones
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

// All threads scan one array in place, with one barrier a round.
template <typename T>
__device__ T wrong_before_thread(T mine) {
  __shared__ T sums[kWarp * kMostWarps];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (threadIdx.x >= distance) {
      sums[threadIdx.x] = combine(sums[threadIdx.x - distance], sums[threadIdx.x]);
    }
    __syncthreads();
  }
  return threadIdx.x > 0 ? sums[threadIdx.x - 1] : identity<T>();
}

#define BEFORE_THREAD wrong_before_thread
#include "answer/kernel.cuh"
