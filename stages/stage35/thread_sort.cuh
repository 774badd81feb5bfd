// SPDX-License-Identifier: MIT
// A sort of the elements that one thread has in registers (CUB: ThreadSort).
#pragma once

/// Puts the smaller one of two elements into `a`.
template <class Element>
__device__ void exchange(Element& a, Element& b) {
  const Element smaller = min(a, b), larger = max(a, b);
  a = smaller, b = larger;
}

/// Sorts the elements of a thread, of which there are 2^k and one more. A bitonic network sorts the first 2^k. Then the
/// last one is compared with each of them, and moves to its place.
template <class Element, int kCount>
__device__ void sort_in_registers(Element (&own)[kCount]) {
  constexpr int kFirst = kCount - 1;
  static_assert((kFirst & (kFirst - 1)) == 0, "a power of two, and one");
#pragma unroll
  for (int size = 2; size <= kFirst; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma unroll
      for (int i = 0; i < kFirst; ++i) {
        if ((i & distance) == 0) {
          const bool rises = (i & size) == 0 || size == kFirst;
          exchange(own[rises ? i : i + distance], own[rises ? i + distance : i]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kFirst; ++i) {
    exchange(own[i], own[kFirst]);
  }
}
