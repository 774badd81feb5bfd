// refused: wrong-result: each block counts the samples behind the last vector
// SPDX-License-Identifier: MIT
// shown by: --size 40003
// hint: samples-lost
#include "answer/right.cuh"

using namespace right;

template <typename T, typename Mine>
__device__ void count_all_wrongly(const T* samples, std::size_t n, const Bins& bins, Mine& mine) {
  const auto* const vectors = reinterpret_cast<const uint4*>(samples);
  const std::size_t vector_count = n / kSamples<T>;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < vector_count; i += step) {
    count_vector<T>(load_once(vectors + i), bins, mine);
  }
  const std::size_t last = vector_count * kSamples<T> + threadIdx.x;
  if (last < n) {
    mine.count(bin_of(samples[last], bins));
  }
}

#define COUNT_ALL count_all_wrongly
#include "answer/kernel.cuh"
