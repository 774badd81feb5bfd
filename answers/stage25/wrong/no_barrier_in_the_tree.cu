// refused: race: a thread adds what another warp has not stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 512
// hint: race-in-block
#define sums_of_block(...) sums_of_block(Wrong(), __VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ Vector sums_of_block(Wrong, Vector sums) {
  __shared__ Vector shared_sums[kMostThreads];
  Vector* const mine = shared_sums + threadIdx.y * blockDim.x + threadIdx.x;
  *mine = sums;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    if (threadIdx.y < half) {
      add_product(sums, mine[half * blockDim.x], 1.0f);
      *mine = sums;
    }
  }
  return sums;
}
