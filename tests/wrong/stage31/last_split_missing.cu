// refused: uninitialised: the end of the last tile is nobody's
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=init --size 1000x333
#include "../stage31_but_split_merge.cuh"

template <KeyType kType, Bound kBound>
__global__ void split_merge(Lists lists, std::size_t tiles, std::uint32_t* splits) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t < tiles) {
    splits[t] = static_cast<std::uint32_t>(keys_before<kType, kBound>(t * kTile, lists));
  }
}
