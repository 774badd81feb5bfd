// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 43 --todo`.
// As handed out: e2b389b1f5b6. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 43: bins that do not mind their data. Each bin has several words in shared memory, side by side. With 32 of
// them each lane has a word, and a bank, of its own. So lanes never wait for each other, whatever the samples are.
// Samples are loaded 16 bytes at a time, and those in no bin are counted as well, so that no lane has to branch.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "samples.cuh"
#include "workbook/student/histogram.h"

using workbook::Bins;

constexpr unsigned kLanes = 32;
constexpr unsigned kWords = 8192;        // for the bins of a block: 32 KiB
constexpr unsigned kLoads = 4;           // 16-byte loads that a thread has under way at the same time
constexpr unsigned kMostThreads = 1024;  // of a block
constexpr unsigned kThreadsAnSm = 2048;

// The bins of a block: kCopies words in shared memory for each, side by side. Bin b has the words from b * kCopies on,
// and lane l counts in number l % kCopies of them. Bin kBins is for samples that are in no bin.
template <unsigned kCopies>
struct LaneBins {
  static constexpr unsigned kBins = kWords / kCopies;
  static constexpr unsigned kSize = (kBins + 1) * kCopies;  // words

  unsigned* words;

  // Sets all kSize words to 0. All threads of the block come here.
  __device__ void clear() {
    // TODO (roughly 2 lines): step 1.
  }

  // Adds 1 to the word of this lane. `bin` is any number: what exceeds kBins belongs to bin kBins.
  __device__ void count(unsigned bin) {
    // TODO (roughly 2 lines): step 1. min() in place of a branch.
    (void)bin;  // delete it
  }

  // The count of a bin: its words together.
  __device__ unsigned sum(unsigned bin) const {
    // TODO (roughly 4 lines): step 1. The lanes of a warp come here with neighbouring bins. If all of them began with
    //     word 0 of their bins, they would meet in one bank: let each begin with another word, and go round.
    return (void)bin, 0;  // replace
  }
};

// Counts the samples of a vector in the LaneBins of the block.
template <typename T, typename Mine>
__device__ void count_vector(const uint4& vector, const Bins& bins, Mine& mine) {
#pragma unroll
  for (unsigned k = 0; k < kSamples<T>; ++k) {
    mine.count(bin_of(sample_of<T>(vector, k), bins));
  }
}

// Counts the samples of this block. Vectors of 16 bytes lie in tiles of kLoads * blockDim.x. Block b has tiles b, b +
// gridDim.x, and so on. Thread t of it has vectors t, t + blockDim.x, ... of each tile. Block 0 also has the samples
// behind the last whole vector.
template <typename T, typename Mine>
__device__ void count_all(const T* samples, std::size_t n, const Bins& bins, Mine& mine) {
  // TODO (roughly 17 lines): step 2. In place of the loop: in each whole tile first kLoads times load_once() into
  //     registers, then count_vector() of each. Write two loops with #pragma unroll: all loads are under way before
  //     the first sample is counted. Then what is left of a last tile, vector by vector. Then, in block 0, thread t
  //     counts sample t behind the last whole vector, if there is one.
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    mine.count(bin_of(samples[i], bins));  // replace
  }
}

template <typename T, unsigned kCopies>
__global__ void __launch_bounds__(kMostThreads)
    count_samples(const T* samples, std::size_t n, Bins bins, unsigned* counts) {
  __shared__ unsigned words[LaneBins<kCopies>::kSize];
  LaneBins<kCopies> mine{words};
  mine.clear();
  __syncthreads();
  count_all(samples, n, bins, mine);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins.count; b += blockDim.x) {
    const unsigned sum = mine.sum(b);
    if (sum > 0) {
      atomicAdd(&counts[b], sum);
    }
  }
}

// A block for each tile, or as many as fill the device.
unsigned blocks_for(std::size_t tiles, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t most = kThreadsAnSm / block_size * static_cast<std::size_t>(multiprocessors);
  return static_cast<unsigned>(std::min(tiles, most));
}

template <typename T, unsigned kCopies>
void launch(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
            cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write clear, count and sum of LaneBins, then delete this line");
  const std::size_t tile = std::size_t{kLoads} * block_size * kSamples<T>;
  CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned), stream));
  if (n > 0) {
    const unsigned blocks = blocks_for((n + tile - 1) / tile, block_size);
    count_samples<T, kCopies><<<blocks, block_size, 0, stream>>>(samples, n, bins, counts);
    CUDA_CHECK(cudaGetLastError());
  }
}

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  if (bins.count <= LaneBins<kLanes>::kBins) {
    launch<T, kLanes>(samples, n, bins, counts, block_size, stream);
  } else {
    launch<T, 4>(samples, n, bins, counts, block_size, stream);
  }
}

template void histogram_on_device(const std::uint32_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const std::uint8_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const float*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
