// SPDX-License-Identifier: MIT
#include <cstdint>

#include "workbook/student/block_sort.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/tiles.h"

namespace workbook {
namespace {

constexpr unsigned kElements = 16;  // elements of a thread
constexpr unsigned kThreads = 256;  // threads of a block, which has a tile
static_assert(1u << kLogTile == kElements * kThreads);
template <typename Element>
constexpr std::size_t kSharedBytes = sort_block_bytes<Element>(1u << kLogTile);

// A thread's elements of its block's tile, kThreads apart.
template <typename Element>
__device__ void load_tile(Element (&elements)[kElements], KeyType type, ConstRecords records, std::size_t n) {
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const std::size_t begin = std::size_t{blockIdx.x} << kLogTile;
    elements[r] = load<Element>(type, records, begin + r * kThreads + threadIdx.x, n);
  }
}

template <typename Element>
__device__ void store_tile(const Element (&elements)[kElements], KeyType type, Records records, std::size_t n) {
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const std::size_t begin = std::size_t{blockIdx.x} << kLogTile;
    store(type, records, begin + r * kThreads + threadIdx.x, n, elements[r]);
  }
}

template <typename Element>
__global__ void __launch_bounds__(kThreads)
    sort_each_tile(KeyType type, ConstRecords input, Records output, std::size_t n) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  load_tile(elements, type, input, n);
  sort_block<kThreads>(elements, words);
  store_tile(elements, type, output, n);
}

template <typename Element>
__global__ void __launch_bounds__(kThreads) finish_each_tile(KeyType type, Records records, std::size_t n) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  load_tile(elements, type, {records.keys, records.values}, n);
  finish_block<kThreads>(elements, words);
  store_tile(elements, type, records, n);
}

unsigned tiles(std::size_t n) { return static_cast<unsigned>((n + (std::size_t{1} << kLogTile) - 1) >> kLogTile); }

}  // namespace

void sort_tiles(KeyType type, ConstRecords input, Records output, std::size_t n, cudaStream_t stream) {
  if (input.values == nullptr) {
    sort_each_tile<Key><<<tiles(n), kThreads, kSharedBytes<Key>, stream>>>(type, input, output, n);
  } else {
    sort_each_tile<Pair><<<tiles(n), kThreads, kSharedBytes<Pair>, stream>>>(type, input, output, n);
  }
  CUDA_CHECK(cudaGetLastError());
}

void finish_tiles(KeyType type, Records records, std::size_t n, cudaStream_t stream) {
  if (records.values == nullptr) {
    finish_each_tile<Key><<<tiles(n), kThreads, kSharedBytes<Key>, stream>>>(type, records, n);
  } else {
    finish_each_tile<Pair><<<tiles(n), kThreads, kSharedBytes<Pair>, stream>>>(type, records, n);
  }
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace workbook
