// refused: out-of-bounds: the last block has threads without a query
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: outside-global
#include "answer/without_kernel.cuh"

template <KeyType kType, Bound kBound>
__global__ void search_each(const std::uint32_t* keys, std::uint32_t n, const std::uint32_t* queries, std::uint32_t m,
                            std::uint32_t* places) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  places[j] = place_of<kType, kBound>(workbook::ordinal_of(queries[j], kType), keys, n);
}
