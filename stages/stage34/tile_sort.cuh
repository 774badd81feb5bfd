// SPDX-License-Identifier: MIT
// The sort of the first runs, by the sort of stage 32. This header is a part of todo.cu: it is included once, and has
// no include guard.

#include <cstddef>
#include <cstdint>

#include "runs.cuh"
#include "workbook/student/block_sort.h"

/// Each tile of the output is that of the input, in order, equal keys in that of the input. A bitonic sort does not
/// keep that order. So a key with a value is sorted with its place behind it, which no two have in common. Launch:
/// kThreads a block, a block a tile. Shared memory for sort_block().
template <typename Element>
__global__ void __launch_bounds__(kThreads)
    sort_tiles(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n) {
  extern __shared__ std::uint32_t words[];
  constexpr bool kHasValues = sizeof(Element) == sizeof(workbook::Pair);
  const std::size_t begin = blockIdx.x * kTile;
  Element elements[kElements];
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const unsigned place = r * kThreads + threadIdx.x;
    elements[r] = ~Element{0};
    if (begin + place < n) {
      elements[r] = workbook::ordinal_of(input.keys[begin + place], type);
      if constexpr (kHasValues) {
        elements[r] = elements[r] << 32 | place;
      }
    }
  }
  workbook::sort_block<kThreads>(elements, words);
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const std::size_t place = begin + r * kThreads + threadIdx.x;
    if (place < n) {
      if constexpr (kHasValues) {
        output.keys[place] = workbook::key_of(static_cast<std::uint32_t>(elements[r] >> 32), type);
        output.values[place] = input.values[begin + static_cast<std::uint32_t>(elements[r])];
      } else {
        output.keys[place] = workbook::key_of(elements[r], type);
      }
    }
  }
}

template <typename Element>
void launch_tiles(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                  cudaStream_t stream) {
  constexpr std::size_t kSharedBytes = workbook::sort_block_bytes<Element>(kTile);
  const auto tiles = static_cast<unsigned>((n + kTile - 1) / kTile);
  sort_tiles<Element><<<tiles, kThreads, kSharedBytes, stream>>>(type, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
