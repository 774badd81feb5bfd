// SPDX-License-Identifier: MIT
// The kernel and the launch of stage 42, for wrong kernels that change one part. The including file may define that
// part: a name of a function, an expression, or statements.
#ifndef BIN_OF
#define BIN_OF bin_of
#endif
#ifndef OWN_BINS
#define OWN_BINS bins.count
#endif
#ifndef CLEAR
#define CLEAR(b) mine[b] = 0
#endif
#ifndef BARRIER_BEHIND_CLEAR
#define BARRIER_BEHIND_CLEAR __syncthreads()
#endif
#ifndef SAMPLES_OF_ALL
#define SAMPLES_OF_ALL n
#endif
#ifndef IS_COUNTED
#define IS_COUNTED(bin) (bin) < bins.count
#endif
#ifndef COUNT
#define COUNT(bin) atomicAdd(&mine[bin], 1u)
#endif
#ifndef BARRIER_BEFORE_FLUSH
#define BARRIER_BEFORE_FLUSH __syncthreads()
#endif
#ifndef FLUSH
#define FLUSH(b) atomicAdd(&counts[b], mine[b])
#endif
#ifndef CLEAR_COUNTS
#define CLEAR_COUNTS CUDA_CHECK(cudaMemsetAsync(counts, 0, bins.count * sizeof(unsigned), stream))
#endif

template <typename T>
__global__ void count_samples_wrongly(const T* samples, std::size_t n, Bins bins, unsigned* counts) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  __shared__ unsigned mine[workbook::kMostBins];
  for (unsigned b = threadIdx.x; b < OWN_BINS; b += blockDim.x) {
    CLEAR(b);
  }
  BARRIER_BEHIND_CLEAR;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < SAMPLES_OF_ALL; i += step) {
    const unsigned bin = BIN_OF(samples[i], bins);
    if (IS_COUNTED(bin)) {
      COUNT(bin);
    }
  }
  BARRIER_BEFORE_FLUSH;
  for (unsigned b = threadIdx.x; b < OWN_BINS; b += blockDim.x) {
    FLUSH(b);
  }
}

template <typename T>
void histogram_on_device(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream) {
  const unsigned blocks = blocks_for(n, block_size);
  CLEAR_COUNTS;
  if (blocks > 0) {
    count_samples_wrongly<<<blocks, block_size, 0, stream>>>(samples, n, bins, counts);
    CUDA_CHECK(cudaGetLastError());
  }
}

#undef BIN_OF
#undef OWN_BINS
#undef CLEAR
#undef BARRIER_BEHIND_CLEAR
#undef SAMPLES_OF_ALL
#undef IS_COUNTED
#undef COUNT
#undef BARRIER_BEFORE_FLUSH
#undef FLUSH
#undef CLEAR_COUNTS
