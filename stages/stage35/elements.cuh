// SPDX-License-Identifier: MIT
// What stage 35 compares: an element for each key, an unsigned number of 32 or 64 bits.
#pragma once

#include <cstdint>

#include "workbook/student/sort.h"

/// A key without a value: its ordinal, which is an unsigned number of the same order.
using KeyAlone = std::uint32_t;

/// A key with a value: the ordinal in the upper half, and in the lower half the place of the key in the block's input.
/// No two such elements are equal. So the sort keeps the order of equal keys, and the place says where the value is.
using KeyAndPlace = std::uint64_t;

/// The element of an ordinal at a place. `Element` is one of the two types above.
template <class Element>
__device__ Element element_of(std::uint32_t ordinal, int place) {
  if constexpr (sizeof(Element) == sizeof(KeyAlone)) {
    return ordinal;
  } else {
    return Element{ordinal} << 32 | static_cast<unsigned>(place);
  }
}

/// The ordinal in an element.
template <class Element>
__device__ std::uint32_t ordinal_of(Element element) {
  return static_cast<std::uint32_t>(element >> 8 * (sizeof(Element) - sizeof(KeyAlone)));
}

/// What stands for a key that is missing in the last tile: it becomes the largest of all elements (CUB: oob_default).
template <class Element>
__device__ Element missing_element(workbook::KeyType type) {
  return element_of<Element>(workbook::key_of(0xffffffffu, type), -1);
}

/// Changes keys into ordinals, where the two differ.
template <class Element, int kCount>
__device__ void make_ordinals(Element (&own)[kCount], workbook::KeyType type) {
  constexpr int kShift = 8 * (sizeof(Element) - sizeof(KeyAlone));
  if (type == workbook::KeyType::unsigned_ints) {
    return;
  }
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const Element flips = workbook::ordinal_of(ordinal_of(own[i]), type) ^ ordinal_of(own[i]);
    own[i] ^= flips << kShift;
  }
}
