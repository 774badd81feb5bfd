// SPDX-License-Identifier: MIT
// The histogram of all digits, of which a sort needs one (CUB: the histogram kernel of the onesweep sort). This header
// is a part of todo.cu: it is included once, and has no include guard.

#include <cstddef>
#include <cstdint>

#include "tile.cuh"
#include "workbook/student/shared_memory.h"

constexpr unsigned kCountThreads = 1024, kCountAtOnce = 16;

/// Counts how often each digit of each pass occurs among all keys. The counters are there kCopies times. With 32, each
/// lane has its own, in its own bank, and no two lanes of a warp ever meet. With 16, two lanes share one.
template <unsigned kCopies>
__global__ void __launch_bounds__(kCountThreads)
    count_digits(const std::uint32_t* keys, std::size_t n, workbook::KeyType type, unsigned* counts) {
  extern __shared__ unsigned counters[];  // [pass][digit][copy]
  const unsigned copy = threadIdx.x % kCopies;
  for (unsigned i = threadIdx.x; i < kPasses * kDigits * kCopies; i += kCountThreads) {
    counters[i] = 0;
  }
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * kCountThreads;
  for (std::size_t first = std::size_t{blockIdx.x} * kCountThreads + threadIdx.x; first < n;
       first += kCountAtOnce * stride) {
    std::uint32_t loaded[kCountAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kCountAtOnce; ++k) {
      loaded[k] = first + k * stride < n ? keys[first + k * stride] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kCountAtOnce; ++k) {
      const std::uint32_t ordinal = workbook::ordinal_of(loaded[k], type);
      for (unsigned pass = 0; pass < kPasses && first + k * stride < n; ++pass) {
        atomicAdd(&counters[(pass * kDigits + digit_of(ordinal, pass)) * kCopies + copy], 1u);
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPasses * kDigits; i += kCountThreads) {
    unsigned sum = 0;
    for (unsigned k = 0; k < kCopies; ++k) {
      sum += counters[i * kCopies + (k + copy) % kCopies];
    }
    if (sum > 0) {
      atomicAdd(&counts[i], sum);
    }
  }
}

/// With as many copies as a block of this GPU has shared memory for: 32 take 128 KiB.
inline void launch_count_digits(const std::uint32_t* keys, std::size_t n, workbook::KeyType type, unsigned* counts,
                                unsigned blocks, cudaStream_t stream) {
  constexpr unsigned kBytesOfACopy = kPasses * kDigits * sizeof(unsigned);
  const bool has_room = workbook::most_shared_bytes() >= kWarp * kBytesOfACopy;
  const auto kernel = has_room ? count_digits<kWarp> : count_digits<kWarp / 2>;
  const unsigned bytes = (has_room ? kWarp : kWarp / 2) * kBytesOfACopy;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<blocks, kCountThreads, bytes, stream>>>(keys, n, type, counts);
  CUDA_CHECK(cudaGetLastError());
}
