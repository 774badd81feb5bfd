// refused: out-of-bounds: the last vector is loaded whole, where samples end within it
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: outside-global
#include "answer/right.cuh"

using namespace right;

template <typename T, typename Mine>
__device__ void count_all_wrongly(const T* samples, std::size_t n, const Bins& bins, Mine& mine) {
  const auto* const vectors = reinterpret_cast<const uint4*>(samples);
  const std::size_t vector_count = (n + kSamples<T> - 1) / kSamples<T>;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < vector_count; i += step) {
    count_vector<T>(load_once(vectors + i), bins, mine);
  }
}

#define COUNT_ALL count_all_wrongly
#include "answer/kernel.cuh"
