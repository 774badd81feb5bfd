// refused: wrong-result: the bits of negative floats and ints are not in the order of the keys
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333 --type float
// hint: search-type
#include "answer/without_kernel.cuh"

template <KeyType kType, Bound kBound>
__global__ void search_each(const std::uint32_t* keys, std::uint32_t n, const std::uint32_t* queries, std::uint32_t m,
                            std::uint32_t* places) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < m) {
    places[j] = place_of<KeyType::unsigned_ints, kBound>(queries[j], keys, n);
  }
}
