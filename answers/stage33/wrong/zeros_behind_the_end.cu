// refused: wrong-result: behind the end stands the first key of all, and real ones fall out behind
// SPDX-License-Identifier: MIT
// shown by: --size 10007 --block-size 256
// hint: sort-lost
#include "answer/without_sweep.cuh"

template <unsigned kSteps, typename Element>
__global__ void sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last,
                      bool is_mirrored) {
  constexpr unsigned kCount = 1u << kSteps;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t apart = std::size_t{1} << log_last, beside = thread % apart;
  const std::size_t first = (thread - beside) * kCount, in_mirror = is_mirrored ? apart - 1 - beside : beside;
  std::size_t places[kCount];
  Element elements[kCount];
  for (unsigned r = 0; r < kCount; ++r) {
    places[r] = first + r * apart + (r < kCount / 2 ? beside : in_mirror);
    elements[r] =
        places[r] < n ? workbook::load<Element>(type, {records.keys, records.values}, places[r], n) : Element{0};
  }
  if (is_mirrored) {
    workbook::merge_own<true>(elements);
  } else {
    workbook::merge_own<false>(elements);
  }
  for (unsigned r = 0; r < kCount; ++r) {
    workbook::store(type, records, places[r], n, elements[r]);
  }
}
