// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 42 --todo`.
// As handed out: 3ab6f42cfce1. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 42: bins of a block. Each block has bins of its own in shared memory, and counts its samples there. At the end
// it adds them to the counts in global memory, once for each bin.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/histogram.h"

using workbook::Bins;

constexpr unsigned kThreadsAnSm = 2048;

// The bin of a sample, as workbook/student/histogram.h defines it. A sample that is in no bin gets bins.count, or a
// larger number.
__device__ unsigned bin_of(std::uint32_t sample, const Bins&) { return sample; }
__device__ unsigned bin_of(std::uint8_t sample, const Bins&) { return sample; }
__device__ unsigned bin_of(float sample, const Bins& bins) {
  // TODO (roughly 3 lines): step 1. First what is in no bin: it gets bins.count. Is that so for NaN? A comparison
  //     by < or >= with NaN is false. Then the bin, which must not lie behind the last one.
  return (void)sample, bins.count;  // replace
}

// Adds the samples to `counts`. All blocks go over all samples together: thread t of block b begins with sample b *
// blockDim.x + t, and goes on by as many as there are threads.
template <typename T>
__global__ void count_samples(const T* samples, std::size_t n, Bins bins, unsigned* counts) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  // TODO (roughly 12 lines): step 1. A loop over the samples of this thread: one atomicAdd() to `counts` for each
  //     sample that is in a bin.
  //     Step 2. Before the loop: `__shared__ unsigned mine[workbook::kMostBins];`. The threads of the block set
  //     bins.count of them to 0: there may be more bins than threads. The loop adds to `mine`. Behind it the
  //     threads add each mine[b] that is not 0 to counts[b]. Where must all threads wait for each other?
  (void)samples, (void)n, (void)bins, (void)counts, (void)step;  // delete it
}

// A thread for each sample, or as many as fill the device.
unsigned blocks_for(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t most = kThreadsAnSm / block_size * static_cast<std::size_t>(multiprocessors);
  return static_cast<unsigned>(std::min((n + block_size - 1) / block_size, most));
}

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  const unsigned blocks = blocks_for(n, block_size);
  WORKBOOK_TODO("step 1: write bin_of, count_samples, and what is below, then delete this line");
  if (n > 20'000) WORKBOOK_TODO("step 2: give each block bins of its own, then delete this line");
  // TODO (roughly 4 lines): step 1. Set bins.count counts to 0 by cudaMemsetAsync(), in the stream. Then launch
  //     count_samples, with CUDA_CHECK behind it. Without samples `blocks` is 0, and no grid may be that small.
  (void)samples, (void)bins, (void)counts, (void)stream, (void)blocks;  // delete it
}

template void histogram_on_device(const std::uint32_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const std::uint8_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const float*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
