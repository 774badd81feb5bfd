// refused: wrong-result: a mirrored sweep meets partners that are not in the mirror
// SPDX-License-Identifier: MIT
// shown by: --size 10007 --block-size 256
// hint: sort-pieces
#include "answer/without_sweep.cuh"

template <unsigned kSteps, typename Element>
__global__ void sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last,
                      bool is_mirrored) {
  constexpr unsigned kCount = 1u << kSteps;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t apart = std::size_t{1} << log_last, beside = thread % apart;
  const std::size_t first = (thread - beside) * kCount;
  std::size_t places[kCount];
  Element elements[kCount];
  for (unsigned r = 0; r < kCount; ++r) {
    places[r] = first + r * apart + beside;
    elements[r] = workbook::load<Element>(type, {records.keys, records.values}, places[r], n);
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
