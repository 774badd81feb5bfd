// SPDX-License-Identifier: MIT
// Stage 32: a bitonic sort of as many keys as one block can hold. Each thread keeps some of them in registers. Two keys
// to compare lie in one thread, in two lanes of a warp, or in two warps. So there are registers, shuffles and shared
// memory.
#include <cstddef>
#include <cstdint>

#include "workbook/student/shared_memory.h"
#include "workbook/student/sort.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kMostElements = 16'384;  // of a block

// What is compared: the ordinal of a key, or the ordinal in front of the value, in one number. Then the value moves
// with the key.
using Key = std::uint32_t;
using Pair = unsigned long long;

// Behind the end stands the last of all elements: it stays there.
template <typename Element>
__device__ Element load(workbook::KeyType type, const workbook::ConstRecords& records, std::size_t i, std::size_t n) {
  if (i >= n) {
    return ~Element{0};
  }
  const Element ordinal = workbook::ordinal_of(records.keys[i], type);
  if constexpr (sizeof(Element) == sizeof(Pair)) {
    return ordinal << 32 | records.values[i];
  } else {
    return ordinal;
  }
}

template <typename Element>
__device__ void store(workbook::KeyType type, const workbook::Records& records, std::size_t i, std::size_t n,
                      Element element) {
  if (i >= n) {
    return;
  }
  if constexpr (sizeof(Element) == sizeof(Pair)) {
    records.keys[i] = workbook::key_of(static_cast<std::uint32_t>(element >> 32), type);
    records.values[i] = static_cast<std::uint32_t>(element);
  } else {
    records.keys[i] = workbook::key_of(element, type);
  }
}

// The elements of a block have places. Thread t has those from t * kElements on. In a step, each place has a partner,
// and the smaller element of both goes to the lower place. The partner is `distance` away, a power of two. The first
// step of a merge is mirrored: there the partner is place ^ (2 * distance - 1). So in each group of 2 * distance places
// the first is the partner of the last, the second of the last but one, and so on.
__device__ constexpr unsigned partner_of(unsigned place, unsigned distance, bool is_mirrored) {
  return place ^ (is_mirrored ? 2 * distance - 1 : distance);
}

// A step between places of the same thread.
template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_in_registers(Element (&elements)[kElements]) {
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    const unsigned partner = partner_of(r, kDistance, kMirrored);
    // BEGIN SOLUTION: of elements r and partner, the smaller one into the lower place. Each pair once.
    if (r < partner) {
      const Element smaller = min(elements[r], elements[partner]), larger = max(elements[r], elements[partner]);
      elements[r] = smaller;
      elements[partner] = larger;
    }
    // END SOLUTION
  }
}

// A step between places of two lanes. They are kLanes apart. In a mirrored step they are lanes l and l ^ (2 * kLanes -
// 1). All lanes of the warp come here.
template <unsigned kLanes, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_between_lanes(Element (&elements)[kElements]) {
  // BEGIN SOLUTION: the partner of element r is element r of the other lane; in a mirrored step, element
  //     kElements - 1 - r. __shfl_xor_sync(0xffffffffu, x, d) gives lane l the x of lane l ^ d. First one for each
  //     element, since the elements must not change meanwhile. Then the lane with the lower places keeps the smaller
  //     ones, and the other lane the larger ones.
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
  // END SOLUTION
}

// In shared memory one word in 33 is left out: then neither of a thread's two views has bank conflicts. Where a block
// cannot have so much (kGaps is false), no word is left out.
template <bool kGaps>
__host__ __device__ constexpr unsigned padded(unsigned place) {
  return kGaps ? place + place / kWarp : place;
}

// The elements of a thread in shared memory: number r at word first + r * step.
struct View {
  int first, step;
  __device__ int word(unsigned r) const { return first + static_cast<int>(r) * step; }
};

// Its own places, next to each other.
template <unsigned kElements, bool kGaps>
__device__ View neighbours() {
  return {static_cast<int>(padded<kGaps>(threadIdx.x * kElements)), 1};
}

// As many places that lie `distance` apart, a multiple of 32, and for another thread those beside them.
template <unsigned kElements, bool kGaps>
__device__ View apart(unsigned distance) {
  const unsigned beside = threadIdx.x % distance;
  return {static_cast<int>(padded<kGaps>((threadIdx.x - beside) * kElements + beside)),
          static_cast<int>(padded<kGaps>(distance))};
}

// The same places, the upper half of them in a mirror. Number r is where kElements * 3 / 2 - 1 - r would be, in the
// view of the thread that lies in the mirror.
template <unsigned kElements, bool kGaps>
__device__ View apart_in_mirror(unsigned distance) {
  const unsigned beside = distance - 1 - threadIdx.x % distance;
  const int first = static_cast<int>(padded<kGaps>(threadIdx.x / distance * distance * kElements + beside));
  const int step = static_cast<int>(padded<kGaps>(distance));
  return {first + (static_cast<int>(kElements) * 3 / 2 - 1) * step, -step};
}

// Gives each thread the elements of another view: stores them by `from`, and loads the lower half by `lower`, the upper
// half by `upper`. It goes word by word, so that pairs need no more memory than keys. All threads of the block come
// here.
template <unsigned kElements, typename Element>
__device__ void exchange(Element (&elements)[kElements], std::uint32_t* words, View from, View lower, View upper) {
#pragma unroll
  for (unsigned bit = 0; bit < 8 * sizeof(Element); bit += 32) {
    // BEGIN SOLUTION: words[from.word(r)] = the 32 bits of element r from `bit` on. When all threads have
    //     done so, these bits of element r become those of the word that belongs to it. No thread may store while
    //     another may still load what the exchange before has stored. An Element has 32 or 64 bits, and C++ does not
    //     say what becomes of a number of 32 bits that is shifted by 32: make an Element of a word before you shift it.
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
    // END SOLUTION
  }
}

// Steps between warps: a thread takes places that are as far apart as the partners, so that they are in registers. That
// serves as many steps as its elements have halves: distances from kDistance to kApart.
template <unsigned kDistance, bool kMirrored, bool kGaps, unsigned kElements, typename Element>
__device__ void steps_between_warps(Element (&elements)[kElements], std::uint32_t* words);

// The step with this distance, and all after it: half the distance each time, and no more mirror.
template <unsigned kDistance, bool kMirrored, bool kGaps, unsigned kElements, typename Element>
__device__ void steps_from(Element (&elements)[kElements], std::uint32_t* words) {
  if constexpr (kDistance >= kWarp * kElements) {
    steps_between_warps<kDistance, kMirrored, kGaps>(elements, words);
    steps_from<kDistance / kElements, false, kGaps>(elements, words);
  } else if constexpr (kDistance >= kElements) {
    step_between_lanes<kDistance / kElements, kMirrored>(elements);
    steps_from<kDistance / 2, false, kGaps>(elements, words);
  } else if constexpr (kDistance > 0) {
    step_in_registers<kDistance, kMirrored>(elements);
    steps_from<kDistance / 2, false, kGaps>(elements, words);
  }
}

template <unsigned kDistance, bool kMirrored, bool kGaps, unsigned kElements, typename Element>
__device__ void steps_between_warps(Element (&elements)[kElements], std::uint32_t* words) {
  constexpr unsigned kApart = 2 * kDistance / kElements;
  const View own = neighbours<kElements, kGaps>(), far = apart<kElements, kGaps>(kApart);
  exchange<kElements>(elements, words, own, far, kMirrored ? apart_in_mirror<kElements, kGaps>(kApart) : far);
  steps_from<kElements / 2, false, kGaps>(elements, words);
  exchange<kElements>(elements, words, far, own, own);
}

// Merges runs that are in order, two of kSize / 2 places into one of kSize, and so on up to `size`.
template <unsigned kSize, bool kGaps, unsigned kElements, typename Element>
__device__ void merge_runs(Element (&elements)[kElements], std::uint32_t* words, unsigned size) {
  steps_from<kSize / 2, true, kGaps>(elements, words);
  if constexpr (kSize < kMostElements) {
    if (kSize < size) {
      merge_runs<2 * kSize, kGaps>(elements, words, size);
    }
  }
}

// output = input in order. Launch: one block, a power of two of at least 32 threads with kElements each, at least n
// together. Shared memory for a word each, padded<kGaps>().
template <unsigned kElements, typename Element, bool kGaps>
__global__ void __launch_bounds__(kMostElements / kElements)
    sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n) {
  extern __shared__ std::uint32_t words[];
  Element elements[kElements];
  // In any order, as they are in none: so that neighbouring lanes load neighbouring words.
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = load<Element>(type, input, r * blockDim.x + threadIdx.x, n);
  }
  merge_runs<2, kGaps>(elements, words, blockDim.x * kElements);
  const View far = apart<kElements, kGaps>(blockDim.x);
  exchange<kElements>(elements, words, neighbours<kElements, kGaps>(), far, far);
#pragma unroll
  for (unsigned r = 0; r < kElements; ++r) {
    store(type, output, r * blockDim.x + threadIdx.x, n, elements[r]);
  }
}

template <unsigned kElements, typename Element>
void launch(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
            cudaStream_t stream) {
  unsigned threads = kWarp;
  while (threads * kElements < n) {
    threads *= 2;
  }
  constexpr std::size_t kAlwaysAllowed = 48 * 1024;  // bytes of shared memory a block; more must be asked for
  auto kernel = sort_in_block<kElements, Element, true>;
  std::size_t bytes = padded<true>(threads * kElements) * sizeof(std::uint32_t);
  if (bytes > kAlwaysAllowed) {
    if (bytes > workbook::most_shared_bytes()) {  // 66 KiB where there are 64: compute capability 7.5
      kernel = sort_in_block<kElements, Element, false>;
      bytes = padded<false>(threads * kElements) * sizeof(std::uint32_t);
    }
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  }
  kernel<<<1, threads, bytes, stream>>>(type, input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& /*workspace*/, unsigned /*block_size*/, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the steps in registers and between lanes, and exchange, then delete this line");
  if (n == 0) {
    return;
  }
  const auto launch_for = input.values == nullptr ? launch<16, Key> : launch<16, Pair>;
  launch_for(type, input, output, n, stream);
}
