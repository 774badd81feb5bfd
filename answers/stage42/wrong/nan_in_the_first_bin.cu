// refused: wrong-result: NaN is neither below the lower edge nor above the upper one, so it is in bin 0
// SPDX-License-Identifier: MIT
// shown by: --type float --data edges
// hint: edges-of-floats
#include "answer/right.cuh"

using namespace right;

// Whole numbers as in the answer.
template <typename T>
__device__ unsigned bin_of_wrongly(T sample, const Bins& bins) {
  return bin_of(sample, bins);
}
template <>
__device__ unsigned bin_of_wrongly(float sample, const Bins& bins) {
  if (sample < bins.lower || sample >= bins.upper) {
    return bins.count;
  }
  return min(static_cast<unsigned>((sample - bins.lower) * bins.scale), bins.count - 1);
}

#define BIN_OF bin_of_wrongly
#include "answer/kernel.cuh"
