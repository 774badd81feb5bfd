// refused: wrong-result: a lane looks at 32 keys in a row, and the ballots take them for a column
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: list-index
#define hits_of_page(...) right_hits_of_page(__VA_ARGS__)
#include "answer/unsigned_keys_answer.cuh"

template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned mine = 0;
  for (unsigned i = 0; i < kWarp; ++i) {
    const std::size_t key = page + lane * kWarp + i;
    const unsigned hits = __ballot_sync(kAll, key < end && keys[key] == x);
    mine = lane == i ? hits : mine;
  }
  return mine;
}
