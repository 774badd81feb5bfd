// SPDX-License-Identifier: MIT
// The steps of stage 32, given to stages 33 and 34 by workbook/student/block_sort.h. They are the answer of stage 32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbook {

constexpr unsigned kWarp = 32;

/// The elements of a block have places. Thread t has those from t * kElements on. In a step, each place has a partner,
/// and the smaller element of both goes to the lower place. The partner is `distance` away, a power of two. The first
/// step of a merge is mirrored: there the partner is place ^ (2 * distance - 1). So in each group of 2 * distance
/// places the first is the partner of the last, the second of the last but one, and so on.
__device__ constexpr unsigned partner_of(unsigned place, unsigned distance, bool is_mirrored) {
  return place ^ (is_mirrored ? 2 * distance - 1 : distance);
}

/// A step between places of the same thread.
template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_in_registers(Element (&elements)[kElements]) {
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const unsigned partner = partner_of(r, kDistance, kMirrored);
    if (r < partner) {
      const Element smaller = min(elements[r], elements[partner]), larger = max(elements[r], elements[partner]);
      elements[r] = smaller;
      elements[partner] = larger;
    }
  }
}

/// A step between places of two lanes. They are kLanes apart. In a mirrored step they are lanes l and l ^ (2 * kLanes -
/// 1).
template <unsigned kLanes, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_between_lanes(Element (&elements)[kElements]) {
  const bool is_lower = (threadIdx.x & kLanes) == 0;
  Element others[kElements];
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    others[r] =
        __shfl_xor_sync(0xffffffffu, elements[kMirrored ? kElements - 1 - r : r], partner_of(0, kLanes, kMirrored));
  }
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = is_lower ? min(elements[r], others[r]) : max(elements[r], others[r]);
  }
}

/// In shared memory one word in 33 is left out: then neither of a thread's two views has bank conflicts.
__host__ __device__ constexpr unsigned padded(unsigned place) { return place + place / kWarp; }

/// The elements of a thread in shared memory: number r at word first + r * step.
struct View {
  int first, step;
  __device__ int word(unsigned r) const { return first + static_cast<int>(r) * step; }
};

/// Its own places, next to each other.
template <unsigned kElements>
__device__ View neighbours() {
  return {static_cast<int>(padded(threadIdx.x * kElements)), 1};
}

/// As many places that lie `distance` apart, a multiple of 32, and for another thread those beside them.
template <unsigned kElements>
__device__ View apart(unsigned distance) {
  const unsigned beside = threadIdx.x % distance;
  return {static_cast<int>(padded((threadIdx.x - beside) * kElements + beside)), static_cast<int>(padded(distance))};
}

/// The same places, the upper half of them in a mirror. Number r is where kElements * 3 / 2 - 1 - r would be, in the
/// view of the thread that lies in the mirror.
template <unsigned kElements>
__device__ View apart_in_mirror(unsigned distance) {
  const unsigned beside = distance - 1 - threadIdx.x % distance;
  const int first = static_cast<int>(padded(threadIdx.x / distance * distance * kElements + beside));
  const int step = static_cast<int>(padded(distance));
  return {first + (static_cast<int>(kElements) * 3 / 2 - 1) * step, -step};
}

/// Gives each thread the elements of another view: stores them by `from`, and loads the lower half by `lower`, the
/// upper half by `upper`. It goes word by word, so that pairs need no more memory than keys. All threads of the block
/// come here.
template <unsigned kElements, typename Element>
__device__ void exchange(Element (&elements)[kElements], std::uint32_t* words, View from, View lower, View upper) {
#pragma unroll
  for (unsigned bit = 0; bit < 8 * sizeof(Element); bit += 32) {
    __syncthreads();
#pragma unroll
    for (unsigned r = 0; r < kElements; ++r) {
      words[from.word(r)] = static_cast<std::uint32_t>(elements[r] >> bit);
    }
    __syncthreads();
#pragma unroll
    for (unsigned r = 0; r < kElements; ++r) {
      const Element word = words[r < kElements / 2 ? lower.word(r) : upper.word(r)];
      elements[r] = (elements[r] & ~(Element{0xffffffffu} << bit)) | word << bit;
    }
  }
}

/// Steps between warps: a thread takes places that are as far apart as the partners, so that they are in registers.
/// That serves as many steps as its elements have halves: distances from kDistance to kApart.
template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void steps_between_warps(Element (&elements)[kElements], std::uint32_t* words);

/// The step with this distance, and all after it: half the distance each time, and no more mirror.
template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void steps_from(Element (&elements)[kElements], std::uint32_t* words) {
  if constexpr (kDistance >= kWarp * kElements) {
    steps_between_warps<kDistance, kMirrored>(elements, words);
    steps_from<kDistance / kElements, false>(elements, words);
  } else if constexpr (kDistance >= kElements) {
    step_between_lanes<kDistance / kElements, kMirrored>(elements);
    steps_from<kDistance / 2, false>(elements, words);
  } else if constexpr (kDistance > 0) {
    step_in_registers<kDistance, kMirrored>(elements);
    steps_from<kDistance / 2, false>(elements, words);
  }
}

template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void steps_between_warps(Element (&elements)[kElements], std::uint32_t* words) {
  constexpr unsigned kApart = 2 * kDistance / kElements;
  const View own = neighbours<kElements>(), far = apart<kElements>(kApart);
  exchange(elements, words, own, far, kMirrored ? apart_in_mirror<kElements>(kApart) : far);
  steps_from<kElements / 2, false>(elements, words);
  exchange(elements, words, far, own, own);
}

/// Merges runs that are in order, two of kSize / 2 places into one of kSize, and so on up to kLast.
template <unsigned kSize, unsigned kLast, unsigned kElements, typename Element>
__device__ void merge_runs(Element (&elements)[kElements], std::uint32_t* words) {
  steps_from<kSize / 2, true>(elements, words);
  if constexpr (kSize < kLast) merge_runs<2 * kSize, kLast>(elements, words);
}

// What block_sort.h promises.

template <typename Element>
constexpr std::size_t sort_block_bytes(unsigned places) {
  return padded(places) * sizeof(std::uint32_t);  // word by word: for pairs, too
}

template <unsigned kThreads, unsigned kElements, typename Element>
__device__ void sort_block(Element (&elements)[kElements], std::uint32_t* words) {
  merge_runs<2, kThreads * kElements>(elements, words);
  const View far = apart<kElements>(kThreads);
  exchange(elements, words, neighbours<kElements>(), far, far);
}

template <unsigned kThreads, unsigned kElements, typename Element>
__device__ void finish_block(Element (&elements)[kElements], std::uint32_t* words) {
  steps_from<kElements / 2, false>(elements, words);  // as they are apart, partners are in registers
  const View own = neighbours<kElements>(), far = apart<kElements>(kThreads);
  exchange(elements, words, far, own, own);
  steps_from<kThreads / 2, false>(elements, words);
  exchange(elements, words, own, far, far);
}

template <bool kMirrored, unsigned kElements, typename Element>
__device__ void merge_own(Element (&elements)[kElements]) {
  steps_from<kElements / 2, kMirrored>(elements, nullptr);
}

}  // namespace workbook
