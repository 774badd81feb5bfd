// SPDX-License-Identifier: MIT
// A sort in a block, given to the stages after stage 32:
//
//   * sort_block_bytes<Element>(places): the bytes of shared memory that a block of so many places needs.
//   * sort_block<kThreads>(elements, words): sorts the elements of a block; all of its kThreads threads call it.
//   * finish_block<kThreads>(elements, words): the same where the elements, place by place, are bitonic.
//   * merge_own<kMirrored>(elements): sorts a thread's own; they are bitonic, or two runs if mirrored.
//
// Element r of thread t is at place r * kThreads + t of its block. `words` is the block's shared memory. Where the
// course has its answers, these are the steps of stage 32. Without them, a simpler sort takes their place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/sort.h"

#if __has_include("../../../answers/stage32/given.cuh")
#include "../../../answers/stage32/given.cuh"
#else
#include "workbook/student/plain_block_sort.h"
#endif

namespace workbook {

/// The sort compares numbers: the ordinal of a key, or the ordinal in front of the value in one number. The second form
/// moves the value together with its key.
using Key = std::uint32_t;
using Pair = unsigned long long;

/// The last of all elements fills the places behind the end, and stays there.
template <typename Element>
__device__ Element load(KeyType type, const ConstRecords& records, std::size_t i, std::size_t n) {
  if (i >= n) {
    return ~Element{0};
  }
  const Element ordinal = ordinal_of(records.keys[i], type);
  if constexpr (sizeof(Element) == sizeof(Pair)) {
    return ordinal << 32 | records.values[i];
  } else {
    return ordinal;
  }
}

template <typename Element>
__device__ void store(KeyType type, const Records& records, std::size_t i, std::size_t n, Element element) {
  if (i >= n) {
    return;
  }
  if constexpr (sizeof(Element) == sizeof(Pair)) {
    records.keys[i] = key_of(static_cast<std::uint32_t>(element >> 32), type);
    records.values[i] = static_cast<std::uint32_t>(element);
  } else {
    records.keys[i] = key_of(element, type);
  }
}

}  // namespace workbook
