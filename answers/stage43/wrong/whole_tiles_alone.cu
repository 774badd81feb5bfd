// refused: wrong-result: the vectors behind the last whole tile are not counted
// SPDX-License-Identifier: MIT
// shown by: --size 9001
// hint: samples-lost
#include "answer/right.cuh"

using namespace right;

template <typename T, typename Mine>
__device__ void count_all_wrongly(const T* samples, std::size_t n, const Bins& bins, Mine& mine) {
  const auto* const vectors = reinterpret_cast<const uint4*>(samples);
  const std::size_t vector_count = n / kSamples<T>;
  for (std::size_t tile = blockIdx.x; (tile + 1) * blockDim.x <= vector_count; tile += gridDim.x) {
    count_vector<T>(load_once(vectors + tile * blockDim.x + threadIdx.x), bins, mine);
  }
  const std::size_t last = vector_count * kSamples<T> + threadIdx.x;
  if (blockIdx.x == 0 && last < n) {
    mine.count(bin_of(samples[last], bins));
  }
}

#define COUNT_ALL count_all_wrongly
#include "answer/kernel.cuh"
