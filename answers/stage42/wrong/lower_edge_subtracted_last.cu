// refused: wrong-result: the lower edge is subtracted behind the product: other roundings
// SPDX-License-Identifier: MIT
// shown by: --type float --data edges --bins 100
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
  if (bin_of(sample, bins) == bins.count) {
    return bins.count;
  }
  return min(static_cast<unsigned>(max(sample * bins.scale - bins.lower * bins.scale, 0.0f)), bins.count - 1);
}

#define BIN_OF bin_of_wrongly
#include "answer/kernel.cuh"
