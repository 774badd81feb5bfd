// refused: wrong-result: in front of the first key there is no line, and 0 less 1 is 2^32 - 1
// SPDX-License-Identifier: MIT
// shown by: --size 300007x64 --queries ends --block-size 256
// hint: search-levels
#define search_lines(...) right_search_lines(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__global__ void __launch_bounds__(kMostThreads)
    search_lines(Index index, const std::uint32_t* queries, std::uint32_t m, std::uint32_t* places) {
  extern __shared__ std::uint32_t top[];
  fill_top<kType>(top, index);
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t j = first; j - threadIdx.x % kWarp < m; j += threads) {
    const std::uint32_t query = j < m ? workbook::ordinal_of(__ldcs(queries + j), kType) : 0;
    unsigned line = line_by_top<kBound>(top, query, index);
#pragma unroll
    for (unsigned level = kMostLevels - 1; level > 0; --level) {
      if (level < index.level_count) {
        const std::size_t samples = position_in<kType, kBound>(index.levels[level], line, query);
        line = static_cast<unsigned>(samples - 1);
      }
    }
    const std::size_t position = position_in<kType, kBound>(index.levels[0], line, query);
    if (j < m) {
      __stcs(places + j, static_cast<std::uint32_t>(position - index.levels[0].begin));
    }
  }
}
