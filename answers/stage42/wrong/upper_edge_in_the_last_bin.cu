// refused: wrong-result: the upper edge belongs to the last bin
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
  return sample == bins.upper ? bins.count - 1 : bin_of(sample, bins);
}

#define BIN_OF bin_of_wrongly
#include "answer/kernel.cuh"
