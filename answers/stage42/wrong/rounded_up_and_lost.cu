// refused: wrong-result: where rounding makes bins.count of the product, the sample is in no bin
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
  if (!(sample >= bins.lower && sample < bins.upper)) {
    return bins.count;
  }
  return static_cast<unsigned>((sample - bins.lower) * bins.scale);
}

#define BIN_OF bin_of_wrongly
#include "answer/kernel.cuh"
