// refused: not-the-step: right, with a load for each sample
// SPDX-License-Identifier: MIT
// hint: step-requests
#include "answer/right.cuh"

using namespace right;

template <typename T, typename Mine>
__device__ void count_all_wrongly(const T* samples, std::size_t n, const Bins& bins, Mine& mine) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    mine.count(bin_of(samples[i], bins));
  }
}

#define COUNT_ALL count_all_wrongly
#include "answer/kernel.cuh"
