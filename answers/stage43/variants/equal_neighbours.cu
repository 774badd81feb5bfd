// SPDX-License-Identifier: MIT
// Variant: where all samples of a vector are the same, they are added at once.
// To expect: no difference for samples of 4 bytes, where the loads limit. With bytes it is faster where neighbours are
// equal, as there the additions limit. The comparison for each vector costs nothing that a thread waits for.
#include "samples.cuh"
#include "workbook/student/histogram.h"

template <typename T, typename Mine>
__device__ void count_vector(const uint4& vector, const workbook::Bins& bins, Mine& mine);

// Renames the answer's function, and not its calls: there no parenthesis follows the name.
#define count_vector(...) count_vector_one_by_one(__VA_ARGS__)
#include "../solution.cu"
#undef count_vector

template <unsigned kCopies>
__device__ void add_to(LaneBins<kCopies>& mine, unsigned bin, unsigned count) {
  using Mine = LaneBins<kCopies>;
  atomicAdd(mine.words + threadIdx.x % kCopies + min(bin, Mine::kBins) * kCopies, count);
}

template <typename T, typename Mine>
__device__ void count_vector(const uint4& vector, const Bins& bins, Mine& mine) {
  const unsigned first = vector.x;
  const bool is_one_word = vector.y == first && vector.z == first && vector.w == first;
  const bool is_one_sample = sizeof(T) > 1 || first == __byte_perm(first, 0, 0);  // four times the lowest byte
  if (is_one_word && is_one_sample) {
    add_to(mine, bin_of(sample_of<T>(vector, 0), bins), kSamples<T>);
  } else {
    count_vector_one_by_one<T>(vector, bins, mine);
  }
}
