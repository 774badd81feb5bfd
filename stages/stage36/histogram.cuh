// SPDX-License-Identifier: MIT
// The histogram of all digits, of which a sort needs one (CUB: the histogram kernel of the onesweep sort). This header
// is a part of todo.cu: it is included once, and has no include guard.

#include <cstddef>
#include <cstdint>

#include "tile.cuh"

constexpr unsigned kCountThreads = 1024, kCountAtOnce = 16;
constexpr unsigned kCountersBytes = kPasses * kDigits * kWarp * sizeof(unsigned);

/// Counts how often each digit of each pass occurs among all keys. The counters are there 32 times, once for each lane.
/// Those of lane l lie in bank l. So no two lanes of a warp ever meet.
__global__ void __launch_bounds__(kCountThreads)
    count_digits(const std::uint32_t* keys, std::size_t n, workbook::KeyType type, unsigned* counts) {
  extern __shared__ unsigned counters[];  // [pass][digit][lane]
  const unsigned lane = threadIdx.x % kWarp;
  for (unsigned i = threadIdx.x; i < kPasses * kDigits * kWarp; i += kCountThreads) {
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
        atomicAdd(&counters[(pass * kDigits + digit_of(ordinal, pass)) * kWarp + lane], 1u);
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPasses * kDigits; i += kCountThreads) {
    unsigned sum = 0;
    for (unsigned k = 0; k < kWarp; ++k) {
      sum += counters[i * kWarp + (k + lane) % kWarp];
    }
    if (sum > 0) {
      atomicAdd(&counts[i], sum);
    }
  }
}
