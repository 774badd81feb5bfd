// refused: wrong-result: each element is in its own sum, whatever is asked for
// SPDX-License-Identifier: MIT
// shown by: --size 4 --elements ones --scan exclusive
// hint: scan-of-four
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Four<T> wrong_scan_four(Scan, T before, const Four<T>& mine) {
  Four<T> result;
  for (unsigned i = 0; i < 4; ++i) {
    const T up_to = combine(before, mine.of[i]);
    result.of[i] = up_to;
    before = up_to;
  }
  return result;
}

#define SCAN_FOUR wrong_scan_four
#include "answer/kernel.cuh"
