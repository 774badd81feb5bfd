// refused: wrong-result: the bin is rounded to the nearest number, and not down
// SPDX-License-Identifier: MIT
// shown by: --type float --size 1003
// hint: bin-of-a-float
#include "answer/right.cuh"

using namespace right;

// Whole numbers as in the answer.
template <typename T>
__device__ unsigned bin_of_wrongly(T sample, const Bins& bins) {
  return bin_of(sample, bins);
}
template <>
__device__ unsigned bin_of_wrongly(float sample, const Bins& bins) {
  if (bin_of(sample, bins) == bins.count) {
    return bins.count;
  }
  return min(__float2uint_rn((sample - bins.lower) * bins.scale), bins.count - 1);
}

#define BIN_OF bin_of_wrongly
#include "answer/kernel.cuh"
