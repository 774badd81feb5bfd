// refused: out-of-bounds: no thread has written where the last tile ends
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: global-not-written
#define split_merge(...) right_split_merge(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__global__ void split_merge(Lists lists, std::size_t tiles, std::uint32_t* splits) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t < tiles) {
    splits[t] = static_cast<std::uint32_t>(keys_before<kType, kBound>(t * kTile, lists));
  }
}
