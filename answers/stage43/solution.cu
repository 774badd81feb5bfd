// SPDX-License-Identifier: MIT
// Stage 43: bins that do not mind their data. Each bin has several words, one for each lane or for each eighth lane. A
// lane counts in its own word, so lanes do not wait for each other, whatever the samples are. Samples are loaded 16
// bytes at a time.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "samples.cuh"
#include "workbook/student/histogram.h"

using workbook::Bins;

constexpr unsigned kWords = 8192;  // of a block: 32 KiB
constexpr unsigned kLanes = 32;
constexpr unsigned kLoads = 2;  // vectors that a thread has under way
constexpr unsigned kMostThreads = 512;

// The bins of a block in shared memory: kCopies words for each bin, side by side.
template <unsigned kCopies>
struct Copies {
  unsigned* words;

  // BEGIN SOLUTION
  __device__ void clear(unsigned bins) {
    for (unsigned i = threadIdx.x; i < bins * kCopies; i += blockDim.x) {
      words[i] = 0;
    }
  }
  __device__ void count(unsigned bin) { atomicAdd(&words[bin * kCopies + threadIdx.x % kCopies], 1u); }
  // The count of a bin. It begins with another word in each lane, so that lanes with neighbouring bins meet in no bank.
  __device__ unsigned sum(unsigned bin) const {
    unsigned all = 0;
#pragma unroll 8
    for (unsigned i = 0; i < kCopies; ++i) {
      all += words[bin * kCopies + (i + bin * kCopies / kLanes) % kCopies];
    }
    return all;
  }
  // END SOLUTION
};

template <typename T, unsigned kCopies>
__global__ void __launch_bounds__(kMostThreads)
    count_samples(const T* samples, std::size_t n, Bins bins, unsigned* counts) {
  __shared__ unsigned words[kWords];
  Copies<kCopies> mine{words};
  mine.clear(bins.count);
  __syncthreads();
  const auto* const vectors = reinterpret_cast<const uint4*>(samples);
  const std::size_t vector_count = n / kSamples<T>;
  const unsigned tile_size = kLoads * blockDim.x;
  for (std::size_t tile = std::size_t{blockIdx.x} * tile_size; tile < vector_count;
       tile += std::size_t{gridDim.x} * tile_size) {
    uint4 loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = tile + k * blockDim.x + threadIdx.x;
      loaded[k] = i < vector_count ? load_once(vectors + i) : uint4{};
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      if (tile + k * blockDim.x + threadIdx.x >= vector_count) {
        break;
      }
#pragma unroll
      for (unsigned s = 0; s < kSamples<T>; ++s) {
        const unsigned bin = bin_of(sample_of<T>(loaded[k], s), bins);
        if (bin < bins.count) {
          mine.count(bin);
        }
      }
    }
  }
  const std::size_t last = vector_count * kSamples<T> + threadIdx.x;
  if (blockIdx.x == 0 && last < n) {
    const unsigned bin = bin_of(samples[last], bins);
    if (bin < bins.count) {
      mine.count(bin);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins.count; b += blockDim.x) {
    const unsigned sum = mine.sum(b);
    if (sum > 0) {
      atomicAdd(&counts[b], sum);
    }
  }
}

template <typename T, unsigned kCopies>
void launch(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
            cudaStream_t stream) {
  int device = 0, multiprocessors = 1, resident = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, count_samples<T, kCopies>,
                                                           static_cast<int>(block_size), 0));
  const std::size_t tile = std::size_t{kLoads} * block_size * kSamples<T>;
  const std::size_t blocks =
      std::min<std::size_t>((n + tile - 1) / tile, static_cast<std::size_t>(resident * multiprocessors));
  CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned), stream));
  if (n == 0) {
    return;
  }
  count_samples<T, kCopies><<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(samples, n, bins, counts);
  CUDA_CHECK(cudaGetLastError());
}

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  if (bins.count <= kWords / 32) {
    launch<T, 32>(samples, n, bins, counts, block_size, stream);
  } else {
    launch<T, 4>(samples, n, bins, counts, block_size, stream);
  }
}

template void histogram_on_device(const std::uint32_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const std::uint8_t*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
template void histogram_on_device(const float*, std::size_t, const Bins&, unsigned*, unsigned, cudaStream_t);
