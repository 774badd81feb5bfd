// SPDX-License-Identifier: MIT
// The functions of block_sort.h for a course without answers: a bitonic network in shared memory alone. It gives the
// right result, and is several times as slow as the sort of stage 32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbook {

template <typename Element>
constexpr std::size_t sort_block_bytes(unsigned places) {
  return places * sizeof(Element);
}

template <typename Element>
__device__ void order(Element& smaller, Element& larger) {
  if (larger < smaller) {
    const Element element = smaller;
    smaller = larger;
    larger = element;
  }
}

template <unsigned kThreads, unsigned kElements, typename Element>
__device__ void sort_block(Element (&elements)[kElements], std::uint32_t* words) {
  constexpr unsigned kPlaces = kThreads * kElements;
  auto* const all = reinterpret_cast<Element*>(words);
  for (unsigned r = 0; r < kElements; ++r) {
    all[r * kThreads + threadIdx.x] = elements[r];
  }
  for (unsigned size = 2; size <= kPlaces; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (unsigned pair = threadIdx.x; pair < kPlaces / 2; pair += kThreads) {
        const unsigned place = 2 * pair - pair % distance;
        const bool rises = (place & size) == 0;
        order(all[rises ? place : place + distance], all[rises ? place + distance : place]);
      }
    }
  }
  __syncthreads();
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = all[r * kThreads + threadIdx.x];
  }
}

template <unsigned kThreads, unsigned kElements, typename Element>
__device__ void finish_block(Element (&elements)[kElements], std::uint32_t* words) {
  sort_block<kThreads>(elements, words);
}

template <bool kMirrored, unsigned kElements, typename Element>
__device__ void merge_own(Element (&elements)[kElements]) {
#pragma unroll
  for (unsigned end = 1; end < kElements; ++end) {
#pragma unroll
    for (unsigned r = end; r > 0; --r) {
      order(elements[r - 1], elements[r]);
    }
  }
}

}  // namespace workbook
