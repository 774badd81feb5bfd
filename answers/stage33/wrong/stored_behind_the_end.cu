// refused: out-of-bounds: what stands behind the end is stored, too
// SPDX-License-Identifier: MIT
// shown by: --size 10007 --block-size 256
// hint: outside-global
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
    elements[r] = workbook::load<Element>(type, {records.keys, records.values}, places[r], n);
  }
  if (is_mirrored) {
    workbook::merge_own<true>(elements);
  } else {
    workbook::merge_own<false>(elements);
  }
  for (unsigned r = 0; r < kCount; ++r) {
    workbook::store(type, records, places[r], ~std::size_t{0}, elements[r]);
  }
}
