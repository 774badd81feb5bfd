// refused: not-the-step: right, by one block
// SPDX-License-Identifier: MIT
// hint: step-few-blocks
#include "answer/right.cuh"

using namespace right;

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned), stream));
  if (n > 0) {
    count_samples<<<1, block_size, 0, stream>>>(samples, n, bins, counts);
    CUDA_CHECK(cudaGetLastError());
  }
}
