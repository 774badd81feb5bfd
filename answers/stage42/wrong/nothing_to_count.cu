// refused: wrong-result: without samples it returns before the counts are 0
// SPDX-License-Identifier: MIT
// shown by: --size 0
// hint: no-samples
#include "answer/right.cuh"

using namespace right;

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  right::histogram_on_device(samples, n, bins, counts, block_size, stream);
}
