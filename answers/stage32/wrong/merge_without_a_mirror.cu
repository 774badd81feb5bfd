// refused: wrong-result: two rising runs are no bitonic sequence: the second one had to fall, or to be met in a mirror
// SPDX-License-Identifier: MIT
// shown by: --size 4 --block-size 1024
// hint: sort-unwritten
#include "answer/without_merge.cuh"

template <unsigned kSize, bool kGaps, unsigned kElements, typename Element>
__device__ void merge_runs(Element (&elements)[kElements], std::uint32_t* words, unsigned size) {
  steps_from<kSize / 2, false, kGaps>(elements, words);
  if constexpr (kSize < kMostElements) {
    if (kSize < size) {
      merge_runs<2 * kSize, kGaps>(elements, words, size);
    }
  }
}
