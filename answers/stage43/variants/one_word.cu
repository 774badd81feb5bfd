// SPDX-License-Identifier: MIT
// Variant: one word for each bin, which all lanes share, with the wide loads of the answer.
// To expect: as fast as the answer where the memory limits, as with samples of 4 bytes in random bins. Slower where
// shared memory limits: with bytes, and with bins that lie in one bank (--data strided).
#include "samples.cuh"
#include "workbook/student/histogram.h"

// Renames the answer's function and its instantiations.
#define histogram_on_device(...) histogram_by_lanes(__VA_ARGS__)
#include "../solution.cu"
#undef histogram_on_device

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  launch<T, 1>(samples, n, bins, counts, block_size, stream);
}

template void histogram_on_device(const std::uint32_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const std::uint8_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const float*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
