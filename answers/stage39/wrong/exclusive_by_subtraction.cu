// refused: wrong-result: what is before a float is what is up to it, less the float: infinity less infinity is NaN
// SPDX-License-Identifier: MIT
// shown by: --size 999 --type float --elements infinity --scan exclusive
// hint: not-undone
#include "answer/right.cuh"

using namespace right;

// A float less a float; what is no number is as it should be.
template <typename T>
__device__ T without(T up_to, T, T before) {
  (void)up_to;
  return before;
}
__device__ inline float without(float up_to, float mine, float) { return up_to - mine; }

template <typename T>
__device__ Four<T> wrong_scan_four(Scan scan, T before, const Four<T>& mine) {
  Four<T> result;
  for (unsigned i = 0; i < 4; ++i) {
    const T up_to = combine(before, mine.of[i]);
    result.of[i] = scan == Scan::inclusive ? up_to : without(up_to, mine.of[i], before);
    before = up_to;
  }
  return result;
}

#define SCAN_FOUR wrong_scan_four
#include "answer/kernel.cuh"
