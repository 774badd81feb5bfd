// SPDX-License-Identifier: MIT
// The kernel and the launch of stage 43, for wrong kernels that change one part. The including file may define
// LANE_BINS as a type of its own, COUNT_ALL as a function, BARRIER_BEFORE_FLUSH as a statement, and MANY as another
// number of words of a bin.
#ifndef LANE_BINS
#define LANE_BINS LaneBins
#endif
#ifndef COUNT_ALL
#define COUNT_ALL count_all
#endif
#ifndef BARRIER_BEFORE_FLUSH
#define BARRIER_BEFORE_FLUSH __syncthreads()
#endif
#ifndef MANY
#define MANY kLanes
#endif

template <typename T, unsigned kCopies>
__global__ void __launch_bounds__(kMostThreads)
    count_samples_wrongly(const T* samples, std::size_t n, Bins bins, unsigned* counts) {
  __shared__ unsigned words[LaneBins<kCopies>::kSize];
  LANE_BINS<kCopies> mine{words};
  mine.clear();
  __syncthreads();
  COUNT_ALL(samples, n, bins, mine);
  BARRIER_BEFORE_FLUSH;
  for (unsigned b = threadIdx.x; b < bins.count; b += blockDim.x) {
    const unsigned sum = mine.sum(b);
    if (sum > 0) {
      atomicAdd(&counts[b], sum);
    }
  }
}

template <typename T, unsigned kCopies>
void launch_wrongly(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                    cudaStream_t stream) {
  const std::size_t tile = std::size_t{kLoads} * block_size * kSamples<T>;
  CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned), stream));
  if (n > 0) {
    const unsigned blocks = blocks_for((n + tile - 1) / tile, block_size);
    count_samples_wrongly<T, kCopies><<<blocks, block_size, 0, stream>>>(samples, n, bins, counts);
    CUDA_CHECK(cudaGetLastError());
  }
}

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  if (bins.count <= LaneBins<kLanes>::kBins) {
    launch_wrongly<T, MANY>(samples, n, bins, counts, block_size, stream);
  } else {
    launch_wrongly<T, 4>(samples, n, bins, counts, block_size, stream);
  }
}

#undef LANE_BINS
#undef COUNT_ALL
#undef BARRIER_BEFORE_FLUSH
#undef MANY
